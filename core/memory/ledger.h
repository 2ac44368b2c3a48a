// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/curve.h"
#include "core/memory/sample.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace maskscope {

/// An allocation that was refused, in bytes.
struct MemoryRefusal {
    std::int64_t asked = 0;
    std::int64_t live = 0; ///< live tensor bytes when it was asked for
    std::optional<std::int64_t> limit; ///< absent when the system refused, not the limit
};

enum class Charge { Accepted, OverLimit };

/// The account of one device's live tensor bytes: exact at every moment, safe from any thread.
///
/// Live bytes and the number of the event are one atomic word, so that all events have one order,
/// in which live bytes, peaks and the curve agree to the byte.
class MemoryLedger {
public:
    MemoryLedger();

    /// Counts `bytes` >= 0, unless live bytes would exceed the limit: then nothing is counted and
    /// the refusal is noted.
    Charge charge(std::int64_t bytes, MemoryCategory category) noexcept;
    /// Uncounts what was charged.
    void release(std::int64_t bytes, MemoryCategory category) noexcept;

    std::int64_t live() const noexcept;
    /// Sums to live() while nobody allocates.
    BytesByCategory liveByCategory() const noexcept;

    /// No limit when absent.
    void setLimit(std::optional<std::int64_t> bytes) noexcept;
    std::optional<std::int64_t> limit() const noexcept;

    /// Notes that the system had no memory for `asked` bytes.
    void noteSystemRefusal(std::int64_t asked) noexcept;
    /// The first refusal since clearRefusal(). It stays, because a library may swallow the
    /// exception (ATen does, in bfloat16 matrix products) and go on with a damaged result or speed.
    std::optional<MemoryRefusal> refusal() const;
    void clearRefusal() noexcept;

    AllocationCurve& curve() noexcept { return m_curve; }

private:
    friend class PeakWindow;
    using Word = std::uint64_t; ///< ticket | live bytes

    void raisePeak(std::int64_t live) noexcept;
    void noteRefusal(const MemoryRefusal& refusal) noexcept;
    void foldPeak() noexcept;

    std::atomic<Word> m_word = 0;
    std::atomic<std::int64_t> m_limit;
    std::atomic<std::int64_t> m_peak = 0; ///< highest live bytes since the last foldPeak()
    std::array<std::atomic<std::int64_t>, kMemoryCategories> m_byCategory{};
    AllocationCurve m_curve;

    mutable std::mutex m_refusalMutex;
    std::optional<MemoryRefusal> m_refusal;

    std::mutex m_windowMutex;
    std::vector<class PeakWindow*> m_windows;
};

/// The highest live bytes between its making and now. Windows may nest and overlap, on any threads.
class PeakWindow {
public:
    explicit PeakWindow(MemoryLedger& ledger);
    ~PeakWindow();
    PeakWindow(const PeakWindow&) = delete;
    PeakWindow& operator=(const PeakWindow&) = delete;

    std::int64_t liveAtStart() const noexcept { return m_liveAtStart; }
    std::int64_t peak();

private:
    friend class MemoryLedger;
    MemoryLedger& m_ledger;
    std::int64_t m_liveAtStart = 0;
    std::int64_t m_peak = 0; ///< guarded by the ledger's window mutex
};

/// The ledger of the host's tensors, which the counting allocator feeds; lives for ever.
MemoryLedger& cpuLedger();

/// The account of what rank >= 0 of a ring within this process takes, which AccountScope charges;
/// lives for ever.
MemoryLedger& rankLedger(int rank);

} // namespace maskscope
