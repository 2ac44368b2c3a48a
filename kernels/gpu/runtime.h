// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that knows CUDA from HIP, and both from a build without a GPU. Everything else in
// kernels/ is written against the neutral names below.
#pragma once

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)

#include <cstdint>
#include <stdexcept>
#include <string>

/// On a function that runs on the host and on the device alike.
#define MASKSCOPE_DEVICE __host__ __device__

namespace maskscope::kernels {

#if defined(__CUDACC__)
using gpuStream = cudaStream_t;
inline const char* gpuLastError() {
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}
#else
using gpuStream = hipStream_t;
inline const char* gpuLastError() {
    const hipError_t error = hipGetLastError();
    return error == hipSuccess ? nullptr : hipGetErrorString(error);
}
#endif

/// Throws if a kernel could not be launched. What fails while running shows up at the next
/// synchronisation, which is the caller's.
inline void gpuCheckLaunch(const char* kernel) {
    if (const char* error = gpuLastError())
        throw std::runtime_error(std::string(kernel) + ": " + error);
}

/// Blocks of `threads` that cover `count` elements, at most 65,535 * 32: kernels stride over the
/// rest.
inline unsigned gpuBlocks(std::int64_t count, int threads) {
    constexpr std::int64_t kMost = 65'535LL * 32;
    const std::int64_t blocks = (count + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 1 ? 1 : blocks < kMost ? blocks : kMost);
}

} // namespace maskscope::kernels

#else

#define MASKSCOPE_DEVICE

#endif
