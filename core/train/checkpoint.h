// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace maskscope {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// How far a training has come, beside its tensors.
struct TrainingProgress {
    std::string stage; ///< name of the stage that runs or, when `stageDone`, has run
    bool stageDone = false;
    std::uint64_t seed = 0;
    std::uint64_t steps = 0; ///< of this stage
    std::uint64_t images = 0; ///< of this stage
    double seconds = 0; ///< of this stage, waiting included
};

/// Writes tensors (weights and optimiser state, float32) and progress as one safetensors file that
/// appears whole or not at all. Throws Failure(Input).
void writeCheckpoint(const std::filesystem::path& file, const NamedTensors& tensors,
    const TrainingProgress& progress);

/// Copies the tensors of a file into those of the same names, bit by bit, and gives its progress.
/// Throws Failure(Model) that names a tensor that is missing, left over or of another shape; then
/// the tensors are as before.
TrainingProgress readCheckpoint(const std::filesystem::path& file, const NamedTensors& tensors);

/// Only the progress.
TrainingProgress readProgress(const std::filesystem::path& file);

/// Writes tensors as a model.safetensors of `type` (float16 for shipping). Throws Failure(Internal)
/// naming a tensor with a value that is not finite in that type.
void writeWeights(const std::filesystem::path& file, const NamedTensors& tensors,
    at::ScalarType type, const std::map<std::string, std::string>& metadata);

} // namespace maskscope
