// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"

#include <string>
#include <vector>

namespace maskscope {

/// How two runs that have a result relate, known before their results are looked at.
struct Relation {
    PairKind kind = PairKind::Wiring;
    bool samePicture = true;
    /// What they were asked otherwise, with both values: "the words (“the cat” and “the dog”)".
    std::vector<std::string> questions;
    /// What else of their input differs: "the precision (fp32 and bf16)".
    std::vector<std::string> inputs;
};

Relation relationOf(const RunRecord& first, const RunRecord& second);

} // namespace maskscope
