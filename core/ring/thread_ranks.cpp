// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/thread_ranks.h"

#include "core/memory/ledger.h"
#include "core/memory/prepare.h"
#include "core/memory/scope.h"

#include <ATen/Parallel.h>
#include <ATen/ThreadLocalState.h>

#include <algorithm>
#include <deque>
#include <utility>

namespace maskscope {

namespace {

/// What the ranks take in one run, each by its own account, and what others hold meanwhile.
class RunPeaks {
public:
    explicit RunPeaks(int ranks)
        : m_beside(cpuLedger().live()) {
        for (int rank = 0; rank < ranks; ++rank)
            m_beside -= m_ranks.emplace_back(rankLedger(rank)).liveAtStart();
    }

    std::int64_t together() {
        std::int64_t bytes = m_beside;
        for (PeakWindow& rank : m_ranks)
            bytes += rank.peak();
        return bytes;
    }

private:
    std::int64_t m_beside;
    std::deque<PeakWindow> m_ranks;
};

} // namespace

struct ThreadRanks::Shared {
    Shared(const std::shared_ptr<JobMonitor>& monitor, const RingSettings& settings)
        : links(monitor, settings.links) {
        for (int rank = 0; rank < monitor->ranks(); ++rank) {
            ranks.push_back(std::make_unique<RingRank>(
                rank, monitor, links.seat(rank), settings.heads, settings.links.timeline));
            peaks.push_back(std::make_unique<PeakWindow>(rankLedger(rank)));
        }
    }

    ThreadRing links;
    std::vector<std::unique_ptr<RingRank>> ranks;
    std::vector<std::unique_ptr<PeakWindow>> peaks;
};

ThreadRanks::ThreadRanks(const RingSettings& settings)
    : m_grid(checkedRankGrid(static_cast<int>(settings.devices.size()), settings.ulysses))
    , m_team(settings.devices, settings.patience)
    , m_shared(std::make_shared<Shared>(m_team.monitor(), settings)) {
    const int before = at::get_num_threads();
    const int each = std::max(1, settings.threads / ranks());
    m_team.run(
        [each](int) {
            prepareRequest({});
            at::get_num_threads(); // a thread's first question sets the number of all
            at::set_num_threads(each);
        },
        {});
    // It is also what threads that are begun later take over.
    at::set_num_threads(before);
}

ThreadRanks::~ThreadRanks() = default;

std::vector<std::int64_t> ThreadRanks::peakBytes() {
    std::vector<std::int64_t> bytes;
    for (const auto& peak : m_shared->peaks)
        bytes.push_back(peak->peak() - peak->liveAtStart());
    return bytes;
}

void ThreadRanks::run(Work work, const std::stop_token& stop) {
    const at::ThreadLocalState here;
    RunPeaks peaks(ranks());
    const auto times = std::make_shared<std::vector<RankTimes>>(static_cast<std::size_t>(ranks()));
    m_team.run(
        [shared = m_shared, work = std::move(work), here, category = currentMemoryCategory(),
            times](int index) {
            const at::ThreadLocalStateGuard guard(here);
            const MemoryScope scope(category);
            const AccountScope account(rankLedger(index));
            RingRank& rank = *shared->ranks[static_cast<std::size_t>(index)];
            (*times)[static_cast<std::size_t>(index)]
                = timed(rank.transport(), [&] { work(rank); });
        },
        stop);
    m_times = *times;
    m_jointPeak = std::max(m_jointPeak, peaks.together());
}

} // namespace maskscope
