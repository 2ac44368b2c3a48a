// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attend.h"

#include <c10/core/ScalarType.h>

#include <span>
#include <string>
#include <string_view>

namespace maskscope {

/// A way to attend to one chunk of keys, and what it can do. Whoever needs one asks for what it
/// needs, never for a name.
struct ChunkKernel {
    std::string_view name;
    bool returnsLse = false; ///< so that chunks can be merged
    bool (*takes)(at::ScalarType type) = nullptr;
    /// q [1, H, T, D] over k, v [1, H, S, D], T and S >= 1.
    Attended (*attend)(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) = nullptr;
};

/// Those for the CPU.
std::span<const ChunkKernel> chunkKernels();

/// What a pass in chunks runs in.
struct ChunkChoice {
    const ChunkKernel* kernel = nullptr; ///< returns the log-sum-exp
    at::ScalarType type = at::kFloat;
    std::string reason; ///< why the type is not the wanted one; empty if it is
};

/// A kernel that returns the log-sum-exp in the type `wanted`, else in bfloat16. Throws
/// Failure(Device) where there is neither.
ChunkChoice chunkChoice(std::span<const ChunkKernel> kernels, at::ScalarType wanted);

} // namespace maskscope
