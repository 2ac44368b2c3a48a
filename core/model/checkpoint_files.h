// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace maskscope {

/// The safetensors files of a model folder: model.safetensors, or else the shards that
/// model.safetensors.index.json names, each once, in order of name. Whether they exist shows when
/// they are read. Throws Failure(Model) that names the index when it is damaged or names a file
/// outside the folder.
std::vector<std::filesystem::path> checkpointFiles(const std::filesystem::path& folder);

} // namespace maskscope
