// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/process_ranks.h"

#include "core/base/cancelled.h"
#include "core/memory/ledger.h"
#include "core/memory/scope.h"

#include <cstddef>
#include <span>
#include <utility>

namespace maskscope {

namespace {

/// While it lives, the process only counts as alive with signs of life.
class Watched {
public:
    Watched(ProcessGroup& group, std::function<std::uint64_t()> signs)
        : m_group(group) {
        m_group.watch(std::move(signs));
    }
    ~Watched() { m_group.watch(nullptr); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    ProcessGroup& m_group;
};

} // namespace

struct ProcessRanks::Peak {
    PeakWindow window{rankLedger(0)}; ///< in this process there is one rank
};

ProcessRanks::ProcessRanks(ProcessGroup& group)
    : m_group(group)
    , m_monitor(std::make_shared<JobMonitor>(group.size()))
    , m_rank(group.rank(), m_monitor, group)
    , m_peak(std::make_unique<Peak>()) { }

ProcessRanks::~ProcessRanks() = default;

std::string ProcessRanks::device(int rank) const {
    return "cpu of process " + std::to_string(rank);
}

template <class Step>
void ProcessRanks::guarded(const std::stop_token& stop, const Step& step) {
    const std::stop_callback cancel(stop, [this] {
        m_monitor->end(std::make_exception_ptr(JobEnded())); // the next sign of life throws
        m_group.abort();
    });
    try {
        throwIfStopped(stop);
        step();
    } catch (...) {
        throwIfStopped(stop);
        m_group.abort(); // the others learn of it at once
        throw;
    }
}

void ProcessRanks::run(Work work, const std::stop_token& stop) {
    guarded(stop, [&] {
        const AccountScope account(rankLedger(0));
        const Watched watched(m_group, [monitor = m_monitor, rank = m_group.rank()] {
            return monitor->look()[std::size_t(rank)].signs;
        });
        m_times = timed(m_group, [&] { work(m_rank); });
    });
}

void ProcessRanks::gather(
    const at::Tensor& rows, const RingPlan& plan, const std::stop_token& stop) {
    const std::span<std::byte> bytes(
        static_cast<std::byte*>(rows.mutable_data_ptr()), static_cast<std::size_t>(rows.nbytes()));
    const auto rowBytes = plan.tokens() > 0 ? std::int64_t(bytes.size()) / plan.tokens() : 0;
    guarded(stop, [&] { m_group.gather(bytes, plan, rowBytes); });
}

/// A value of each rank.
template <class Value>
std::vector<Value> ProcessRanks::ofAll(const Value& mine) {
    std::vector<Value> values(static_cast<std::size_t>(ranks()));
    values[static_cast<std::size_t>(m_group.rank())] = mine;
    guarded({}, [&] {
        m_group.gather(std::as_writable_bytes(std::span(values)), RingPlan(ranks(), ranks()),
            std::int64_t(sizeof(Value)));
    });
    return values;
}

std::vector<std::int64_t> ProcessRanks::peakBytes() {
    return ofAll(m_peak->window.peak() - m_peak->window.liveAtStart());
}

std::vector<RankTimes> ProcessRanks::times() {
    return m_times ? ofAll(*m_times) : std::vector<RankTimes>();
}

} // namespace maskscope
