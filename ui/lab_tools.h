// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/machine.h"
#include "core/measure/sweep.h"

#include <filesystem>
#include <functional>

namespace maskscope {

/// What the Lab page asks of core, handed in by the program, because the window knows no Torch.
struct LabTools {
    /// One point of a sweep, in a process of its own. Runs on any thread, throws as runSweep()
    /// wants it.
    MeasurePoint measure;
    /// On any thread.
    std::function<MachineInfo()> describeMachine;
    /// Into a file by the ending of its name; on any thread, throws Failure.
    std::function<void(const SweepRecord& record, const std::filesystem::path& file)> write;
};

} // namespace maskscope
