// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy_process.h"

#include <filesystem>

namespace maskscope {

/// What looking into a moment of a curve asks of core, handed in by the program.
struct AnatomyTools {
    TakeAnatomy take; ///< on any thread
    std::filesystem::path model; ///< the folder that runs are made with
};

} // namespace maskscope
