// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/chunk_kernel.h"

#include "core/base/error.h"

#include <array>

namespace maskscope {

namespace {

constexpr std::array kCpuKernels{
    ChunkKernel{"flash", true,
        [](at::ScalarType type) {
            return type == at::kFloat || type == at::kBFloat16 || type == at::kHalf;
        },
        [](const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
            return attendWithLse(q, k, v, {});
        }},
};

} // namespace

std::span<const ChunkKernel> chunkKernels() {
    return kCpuKernels;
}

ChunkChoice chunkChoice(std::span<const ChunkKernel> kernels, at::ScalarType wanted) {
    for (const at::ScalarType type : {wanted, at::kBFloat16})
        for (const ChunkKernel& kernel : kernels)
            if (kernel.returnsLse && kernel.takes(type))
                return {&kernel, type,
                    type == wanted ? ""
                                   : std::string("no kernel returns the log-sum-exp in ")
                            + c10::toString(wanted) + ", so the ring computes in bf16"};
    throw Failure(ErrorKind::Device,
        std::string("No attention kernel on this device returns the log-sum-exp in ")
            + c10::toString(wanted) + " or bf16, so chunks cannot be merged: choose sdpa.");
}

} // namespace maskscope
