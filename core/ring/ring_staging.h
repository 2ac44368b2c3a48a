// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace maskscope {

/// What a rank sends from and receives into.
enum class StagingPlace {
    RingKv0, ///< keys and values, the own ones and those that come by, in turn
    RingKv1,
    UlyssesIn0, ///< queries, keys and values of all of a group's tokens, in turn
    UlyssesIn1,
    UlyssesOwn, ///< those of the own tokens for the other ranks of the group
    UlyssesMixed0, ///< what attention makes of them, in turn
    UlyssesMixed1,
    UlyssesBack, ///< what the other ranks made of the own tokens
};

/// A rank's staging buffers. Each is taken once and used again by every pass, so that what is held
/// does not depend on how many passes are queued on a device.
class RingStaging {
public:
    static constexpr std::array kNames{"ring_kv_0", "ring_kv_1", "ulysses_in_0", "ulysses_in_1",
        "ulysses_own", "ulysses_mixed_0", "ulysses_mixed_1", "ulysses_back"}; ///< by place

    /// At least `bytes`: the same one as before, unless more is asked for than ever.
    const at::Tensor& buffer(StagingPlace place, std::int64_t bytes);

private:
    std::array<at::Tensor, kNames.size()> m_buffers; ///< of bytes; undefined: never asked for
};

} // namespace maskscope
