// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>

namespace maskscope {

/// A rank's two places for keys and values, its own and those that come by, named ring_kv_0 and
/// ring_kv_1. They are taken once and used again by every pass, so that what is held does not
/// depend on how many passes are queued on a device.
class RingStaging {
public:
    static constexpr std::array<const char*, 2> kNames{"ring_kv_0", "ring_kv_1"};

    /// Both, each of at least `bytes`: the same ones as before, unless more is asked for than ever.
    const std::array<at::Tensor, 2>& buffers(std::int64_t bytes);

private:
    std::array<at::Tensor, 2> m_buffers; ///< of bytes
    std::int64_t m_bytes = -1; ///< of each; -1 = never asked for
};

} // namespace maskscope
