// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace maskscope {

/// Live bytes at one moment; the categories sum to `live`.
struct CurvePoint {
    std::chrono::steady_clock::time_point time;
    std::int64_t live = 0;
    BytesByCategory byCategory{};
};

/// The live bytes of one device over time, made from every allocation and release.
///
/// Whoever allocates only writes an event into a fixed ring, without a lock; whoever reads replays
/// the events in the order in which the ledger counted them and keeps the highest state of each
/// millisecond, so that a peak of 5 ms (or of one) is drawn at exactly its height. Nothing is
/// ever lost: an allocating thread that finds the ring filling up replays it itself, and points
/// that nobody takes are merged in pairs, keeping the higher.
class AllocationCurve {
public:
    /// Events are numbered by the ledger without gaps, modulo 2^kTicketBits.
    static constexpr unsigned kTicketBits = 20;
    static constexpr std::uint32_t kTicketMask = (1U << kTicketBits) - 1;

    AllocationCurve();

    /// Any thread. `delta` is positive for an allocation; |delta| < 2^44.
    void record(std::uint32_t ticket, std::int64_t delta, MemoryCategory category,
        std::chrono::steady_clock::time_point time) noexcept;

    /// The points of the milliseconds that ended before `now` and were not taken yet, in order of
    /// time. A millisecond's point stands at its begin with its highest state; where nothing
    /// happened in the next one, the state it ended with stands there.
    std::vector<CurvePoint> take(std::chrono::steady_clock::time_point now);

    /// The state after all events recorded so far.
    CurvePoint level(std::chrono::steady_clock::time_point now);

private:
    static constexpr unsigned kSlotBits = 14;
    static constexpr std::uint32_t kSlots = 1U << kSlotBits;
    static constexpr std::size_t kMostPoints = 8192;

    struct Slot {
        std::atomic<std::uint64_t> event; ///< lap, category, delta: see pack()
        std::atomic<std::int64_t> time; ///< steady clock, nanoseconds
    };
    struct Bin {
        std::int64_t ms = -1; ///< steady clock; -1 = none
        std::int64_t live = 0; ///< highest
        BytesByCategory byCategory{}; ///< at that moment
    };

    bool tryReplay() noexcept;
    void replay() noexcept;
    void apply(std::int64_t time, std::int64_t delta, std::size_t category) noexcept;
    void closeBin(std::int64_t nextMs) noexcept;
    void push(std::int64_t ms, std::int64_t live, const BytesByCategory& byCategory) noexcept;

    std::array<Slot, kSlots> m_slots;
    std::atomic<std::uint32_t> m_next = 0; ///< ticket of the first event that was not replayed

    std::mutex m_mutex; ///< guards what follows; held by readers and by helping writers
    Bin m_bin; ///< the millisecond of the last event
    std::int64_t m_earliest = 0; ///< points never step back in time
    std::int64_t m_live = 0;
    BytesByCategory m_byCategory{};
    std::vector<CurvePoint> m_points; ///< capacity kMostPoints, never grows
};

} // namespace maskscope
