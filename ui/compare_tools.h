// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/engine/machine.h"
#include "core/image/image.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace maskscope {

/// What the Compare page asks of core, handed in by the program.
struct CompareTools {
    /// One run in a process of its own. On any thread.
    RunConfiguration run;
    std::filesystem::path model; ///< the folder that runs are made with
    /// On any thread.
    std::function<MachineInfo()> describeMachine;
    /// A report of finished runs into a file by the ending of its name: html, md, json, svg. On any
    /// thread, throws Failure.
    std::function<void(const std::vector<ComparedRuns>& compared, const Image& image,
        const std::filesystem::path& file)>
        write;
};

} // namespace maskscope
