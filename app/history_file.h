// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace maskscope {

/// Where the history of runs is kept: maskscope/history.sqlite in $XDG_DATA_HOME or, where that is
/// no absolute path, in ~/.local/share.
std::filesystem::path historyFile();

} // namespace maskscope
