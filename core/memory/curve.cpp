// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/curve.h"

#include <algorithm>
#include <thread>

namespace maskscope {

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kCategoryBits = 3;
constexpr unsigned kDeltaBits = 45;
static_assert(kMemoryCategories <= 1U << kCategoryBits);

// An event in one word, so that publishing it is one store: lap | category | delta.
// The lap says whether the slot already holds this turn's event.
std::uint64_t pack(std::uint64_t lap, MemoryCategory category, std::int64_t delta) {
    const auto bits = static_cast<std::uint64_t>(delta) & ((1ULL << kDeltaBits) - 1);
    return lap << (kCategoryBits + kDeltaBits) | static_cast<std::uint64_t>(category) << kDeltaBits
        | bits;
}

std::uint64_t lapOf(std::uint64_t event) {
    return event >> (kCategoryBits + kDeltaBits);
}

std::size_t categoryOf(std::uint64_t event) {
    return event >> kDeltaBits & ((1U << kCategoryBits) - 1);
}

std::int64_t deltaOf(std::uint64_t event) {
    return static_cast<std::int64_t>(event << (64 - kDeltaBits)) >> (64 - kDeltaBits);
}

std::int64_t nanoseconds(Clock::time_point time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

std::int64_t milliseconds(Clock::time_point time) {
    return nanoseconds(time) / 1'000'000;
}

} // namespace

AllocationCurve::AllocationCurve() {
    constexpr std::uint64_t kNoLap = ~0ULL >> (kCategoryBits + kDeltaBits);
    for (Slot& slot : m_slots)
        slot.event.store(pack(kNoLap, MemoryCategory::Other, 0), std::memory_order_relaxed);
    m_points.reserve(kMostPoints);
}

void AllocationCurve::record(std::uint32_t ticket, std::int64_t delta, MemoryCategory category,
    Clock::time_point time) noexcept {
    // The slot's event of the turn before must have been replayed; it long has, but for a reader
    // that was put to sleep in the middle of it.
    while (((ticket - m_next.load(std::memory_order_acquire)) & kTicketMask) >= kSlots)
        if (!tryReplay())
            std::this_thread::yield();
    Slot& slot = m_slots[ticket % kSlots];
    slot.time.store(nanoseconds(time), std::memory_order_relaxed);
    slot.event.store(pack(ticket >> kSlotBits, category, delta), std::memory_order_release);
    if (ticket % (kSlots / 4) == 0)
        tryReplay();
}

bool AllocationCurve::tryReplay() noexcept {
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (lock)
        replay();
    return lock.owns_lock();
}

void AllocationCurve::replay() noexcept {
    std::uint32_t next = m_next.load(std::memory_order_relaxed);
    for (;;) {
        const Slot& slot = m_slots[next % kSlots];
        const std::uint64_t event = slot.event.load(std::memory_order_acquire);
        if (lapOf(event) != next >> kSlotBits)
            break;
        apply(slot.time.load(std::memory_order_relaxed), deltaOf(event), categoryOf(event));
        next = (next + 1) & kTicketMask;
        m_next.store(next, std::memory_order_release);
    }
}

void AllocationCurve::apply(std::int64_t time, std::int64_t delta, std::size_t category) noexcept {
    // Threads read the clock after they were counted: time may step back a little, and is held.
    const std::int64_t ms = std::max(time / 1'000'000, m_earliest);
    m_earliest = ms;
    if (ms != m_bin.ms) {
        closeBin(ms);
        m_bin = {ms, m_live, m_byCategory};
    }
    m_live += delta;
    m_byCategory[category] += delta;
    if (m_live > m_bin.live)
        m_bin = {ms, m_live, m_byCategory};
}

void AllocationCurve::closeBin(std::int64_t nextMs) noexcept {
    if (m_bin.ms < 0)
        return;
    push(m_bin.ms, m_bin.live, m_bin.byCategory);
    if (nextMs > m_bin.ms + 1)
        push(m_bin.ms + 1, m_live, m_byCategory);
}

void AllocationCurve::push(
    std::int64_t ms, std::int64_t live, const BytesByCategory& byCategory) noexcept {
    if (m_points.size() == kMostPoints) {
        for (std::size_t i = 0; i < kMostPoints / 2; ++i) {
            const CurvePoint& first = m_points[2 * i];
            const CurvePoint& second = m_points[2 * i + 1];
            m_points[i] = first.live >= second.live ? first : second;
        }
        m_points.resize(kMostPoints / 2);
    }
    m_points.push_back({Clock::time_point(std::chrono::milliseconds(ms)), live, byCategory});
}

std::vector<CurvePoint> AllocationCurve::take(Clock::time_point now) {
    const std::lock_guard lock(m_mutex);
    replay();
    const std::int64_t ms = milliseconds(now);
    if (m_bin.ms < ms) {
        closeBin(ms + 1);
        m_bin.ms = -1;
        m_earliest = std::max(m_earliest, ms);
    }
    std::vector<CurvePoint> points(m_points.begin(), m_points.end());
    m_points.clear();
    return points;
}

CurvePoint AllocationCurve::level(Clock::time_point now) {
    const std::lock_guard lock(m_mutex);
    replay();
    return {now, m_live, m_byCategory};
}

} // namespace maskscope
