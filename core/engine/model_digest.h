// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace maskscope {

/// Tells the models of two folders apart: a digest of config.json, tokenizer.json and the name,
/// type, shape and bytes of each stored tensor. Of a tensor above 64 KiB only 64 blocks of 1 KiB
/// are read, evenly spread over it, so that a large model takes no longer than a small one; any
/// training changes them. Throws Failure(Model) as SafetensorsFile does, Failure(Input) when one
/// of the other files cannot be read.
std::string digestOfModel(const std::filesystem::path& folder);

} // namespace maskscope
