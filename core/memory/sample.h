// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace maskscope {

/// What an allocation is charged to: the innermost MemoryScope when it was made.
enum class MemoryCategory { Weights, KvCache, Vision, Language, MaskDecoder, RingStaging, Other };
inline constexpr std::size_t kMemoryCategories = 7;

/// Stable names, as used in events: "weights", "kv_cache", "vision", "language", "mask_decoder",
/// "ring_staging", "other".
std::string_view nameOf(MemoryCategory category);

using BytesByCategory = std::array<std::int64_t, kMemoryCategories>;

/// Memory at one moment. A figure that is not available is absent, never 0.
struct MemorySample {
    double tMs = 0; ///< since the request started
    std::string device = "cpu";
    std::int64_t live = 0; ///< live tensor bytes, exact
    BytesByCategory byCategory{}; ///< live bytes by MemoryCategory; sums to live
    std::optional<std::int64_t> reserved; ///< held by a caching allocator, bytes
    std::optional<std::int64_t> process; ///< resident set of this process, bytes
    std::optional<std::int64_t> deviceUsed; ///< bytes used on the device by everybody
    std::optional<std::int64_t> deviceTotal; ///< bytes the device has
};

/// Memory of one rank of a ring at one moment, above that which it had before the run.
struct RankSample {
    double tMs = 0; ///< since the request started
    int rank = 0;
    std::int64_t live = 0; ///< live tensor bytes of this rank alone, exact
    std::int64_t staging = 0; ///< of them, its buffers for the keys and values that travel
};

} // namespace maskscope
