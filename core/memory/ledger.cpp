// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/ledger.h"

#include <algorithm>
#include <memory>

namespace maskscope {

namespace {

constexpr unsigned kLiveBits = 64 - AllocationCurve::kTicketBits;
constexpr std::uint64_t kOneTicket = 1ULL << kLiveBits;
constexpr std::int64_t kMostBytes = (1LL << kLiveBits) - 1;

std::int64_t liveOf(std::uint64_t word) {
    return static_cast<std::int64_t>(word & (kOneTicket - 1));
}

std::uint32_t ticketOf(std::uint64_t word) {
    return static_cast<std::uint32_t>(word >> kLiveBits);
}

} // namespace

MemoryLedger::MemoryLedger()
    : m_limit(kMostBytes) { }

Charge MemoryLedger::charge(std::int64_t bytes, MemoryCategory category) noexcept {
    Word word = m_word.load(std::memory_order_relaxed);
    do {
        const std::int64_t live = liveOf(word);
        const std::int64_t most = m_limit.load(std::memory_order_relaxed);
        if (bytes > most - live) {
            noteRefusal({bytes, live, limit()});
            return Charge::OverLimit;
        }
    } while (!m_word.compare_exchange_weak(
        word, word + kOneTicket + static_cast<Word>(bytes), std::memory_order_acq_rel));
    m_byCategory[static_cast<std::size_t>(category)].fetch_add(bytes, std::memory_order_relaxed);
    raisePeak(liveOf(word) + bytes);
    m_curve.record(ticketOf(word), bytes, category, std::chrono::steady_clock::now());
    return Charge::Accepted;
}

void MemoryLedger::release(std::int64_t bytes, MemoryCategory category) noexcept {
    const Word word
        = m_word.fetch_add(kOneTicket - static_cast<Word>(bytes), std::memory_order_acq_rel);
    m_byCategory[static_cast<std::size_t>(category)].fetch_sub(bytes, std::memory_order_relaxed);
    m_curve.record(ticketOf(word), -bytes, category, std::chrono::steady_clock::now());
}

std::int64_t MemoryLedger::live() const noexcept {
    return liveOf(m_word.load(std::memory_order_acquire));
}

BytesByCategory MemoryLedger::liveByCategory() const noexcept {
    BytesByCategory bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = m_byCategory[i].load(std::memory_order_relaxed);
    return bytes;
}

void MemoryLedger::setLimit(std::optional<std::int64_t> bytes) noexcept {
    m_limit.store(std::min(bytes.value_or(kMostBytes), kMostBytes));
}

std::optional<std::int64_t> MemoryLedger::limit() const noexcept {
    const std::int64_t limit = m_limit.load();
    return limit == kMostBytes ? std::nullopt : std::optional(limit);
}

void MemoryLedger::noteSystemRefusal(std::int64_t asked) noexcept {
    noteRefusal({asked, live(), std::nullopt});
}

void MemoryLedger::noteRefusal(const MemoryRefusal& refusal) noexcept {
    const std::lock_guard lock(m_refusalMutex);
    if (!m_refusal)
        m_refusal = refusal;
}

std::optional<MemoryRefusal> MemoryLedger::refusal() const {
    const std::lock_guard lock(m_refusalMutex);
    return m_refusal;
}

void MemoryLedger::clearRefusal() noexcept {
    const std::lock_guard lock(m_refusalMutex);
    m_refusal.reset();
}

void MemoryLedger::raisePeak(std::int64_t live) noexcept {
    std::int64_t peak = m_peak.load(std::memory_order_relaxed);
    while (live > peak && !m_peak.compare_exchange_weak(peak, live, std::memory_order_acq_rel)) { }
}

/// Gives the peak since the last call to every open window and starts anew. An allocation that is
/// under way on another thread may count for either side of the cut, never for none.
void MemoryLedger::foldPeak() noexcept {
    const std::int64_t peak = m_peak.exchange(0, std::memory_order_acq_rel);
    raisePeak(live());
    for (PeakWindow* window : m_windows)
        window->m_peak = std::max(window->m_peak, peak);
}

PeakWindow::PeakWindow(MemoryLedger& ledger)
    : m_ledger(ledger) {
    const std::lock_guard lock(m_ledger.m_windowMutex);
    m_ledger.foldPeak();
    m_liveAtStart = m_ledger.live();
    m_peak = m_liveAtStart;
    m_ledger.m_windows.push_back(this);
}

PeakWindow::~PeakWindow() {
    const std::lock_guard lock(m_ledger.m_windowMutex);
    m_ledger.foldPeak();
    std::erase(m_ledger.m_windows, this);
}

std::int64_t PeakWindow::peak() {
    const std::lock_guard lock(m_ledger.m_windowMutex);
    m_ledger.foldPeak();
    return m_peak;
}

MemoryLedger& cpuLedger() {
    static MemoryLedger& ledger = *new MemoryLedger;
    return ledger;
}

MemoryLedger& rankLedger(int rank) {
    static std::mutex mutex;
    static auto& ledgers = *new std::vector<std::unique_ptr<MemoryLedger>>;
    const auto index = static_cast<std::size_t>(rank);
    const std::lock_guard lock(mutex);
    while (ledgers.size() <= index)
        ledgers.push_back(std::make_unique<MemoryLedger>());
    return *ledgers[index];
}

} // namespace maskscope
