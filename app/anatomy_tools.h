// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/anatomy_tools.h"

namespace maskscope {

/// What looking into a moment of a curve asks of core, for this program and the model of that
/// folder.
AnatomyTools anatomyTools(const std::filesystem::path& model);

} // namespace maskscope
