// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/dtype.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace maskscope {

struct TensorSummary {
    std::string name;
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
};

/// Sum over the tensors of one element type.
struct DtypeTotal {
    std::int64_t tensors = 0;
    std::int64_t elements = 0;
    std::int64_t bytes = 0;
};

/// What a checkpoint holds, without its values.
struct CheckpointSummary {
    std::vector<TensorSummary> tensors; ///< sorted by name
    std::map<Dtype, DtypeTotal> byDtype; ///< only types that occur
    DtypeTotal total;
    std::map<std::string, std::string> metadata; ///< of the files' headers
};

/// Reads the headers of a .safetensors file, or of all files of a model folder. Throws as
/// SafetensorsFile and checkpointFiles() do, and for a tensor that two files hold.
CheckpointSummary summariseCheckpoint(const std::filesystem::path& fileOrFolder);

} // namespace maskscope
