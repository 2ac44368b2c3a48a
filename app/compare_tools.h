// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare_tools.h"

#include <filesystem>

namespace maskscope {

/// What the window's Compare page asks of core, for this program and the model of that folder.
CompareTools compareTools(const std::filesystem::path& model);

} // namespace maskscope
