// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"

#include <string>
#include <vector>

// What a sweep says, in sentences for people.
namespace maskscope {

/// "mha grows with P²: 128.000 bytes x P² (2.00 matrices of 16 heads x P x P x 4 bytes) …": the law
/// of a describing fit, with how well it fits where that says anything.
std::string lawText(const SweepFit& fit, const SweepRecord& record);

/// For each path with matrices and each without, how much more the first takes at the largest size
/// that both were measured at: a sentence with figures.
std::vector<std::string> storyOf(const SweepRecord& record);

} // namespace maskscope
