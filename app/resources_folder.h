// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace maskscope {

/// Where the shipped model and the examples are: `share/maskscope` beside the program's `bin`
/// when it is installed, else the source tree it was built from.
std::filesystem::path resourcesFolder();

/// The model that is used when none is named.
std::filesystem::path shippedModel();

} // namespace maskscope
