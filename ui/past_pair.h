// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "ui/run_scene.h"

#include <QString>

namespace maskscope {

/// Two past runs for the page that compares, with titles that tell them apart.
struct PastPair {
    std::shared_ptr<const std::vector<ComparedRuns>> runs;
    RunScene scene; ///< of the first
    QString note; ///< what a person should know of the pictures; may be empty
};

/// Work for a background thread.
PastPair pairOf(const RunRecord& first, const RunRecord& second, const ImageReader& reader);

} // namespace maskscope
