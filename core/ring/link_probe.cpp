// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_probe.h"

#include "core/base/processor_time.h"
#include "core/base/spread.h"
#include "core/ring/process_ranks.h"

#include <ATen/ops/zeros.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>

namespace maskscope {

namespace {

struct Series {
    std::size_t bytes = 0;
    int repeats = 0; ///< one more is not counted
};
constexpr std::array kSeries{Series{1 << 10, 31}, Series{16 << 10, 31}, Series{256 << 10, 15},
    Series{2 << 20, 9}, Series{8 << 20, 5}};

double medianUs(RingRank& rank, int ranks, std::span<const std::byte> out, std::span<std::byte> in,
    const Series& series) {
    const int next = (rank.index() + 1) % ranks, before = (rank.index() + ranks - 1) % ranks;
    std::vector<double> us;
    for (int i = 0; i <= series.repeats; ++i) {
        rank.alive();
        const auto begin = std::chrono::steady_clock::now();
        Exchange exchange(rank.transport(), Outgoing{next, out.first(series.bytes)},
            Incoming{before, in.first(series.bytes)});
        exchange.finish();
        const std::chrono::duration<double, std::micro> time
            = std::chrono::steady_clock::now() - begin;
        if (i > 0)
            us.push_back(time.count());
    }
    return spreadOf(us).median;
}

/// What the ranks of this process find; kept alive by each of them.
struct Found {
    explicit Found(int ranks)
        : us(at::zeros({ranks, static_cast<std::int64_t>(kSeries.size())}, at::kDouble)) { }

    at::Tensor us; ///< medians by rank and size
    std::atomic<int> ranksHere = 0;
    std::atomic<double> processorMs = 0; ///< while they sent the largest size
};

void measure(RingRank& rank, Found& found) {
    ++found.ranksHere;
    const std::vector<std::byte> out(kSeries.back().bytes);
    std::vector<std::byte> in(out.size());
    auto* const row = found.us.mutable_data_ptr<double>()
        + static_cast<std::size_t>(rank.index()) * kSeries.size();
    double before = 0;
    for (std::size_t i = 0; i < kSeries.size(); ++i) {
        before = processorMs();
        row[i] = medianUs(rank, static_cast<int>(found.us.size(0)), out, in, kSeries[i]);
    }
    found.processorMs = processorMs() - before; // the last rank's stays
}

} // namespace

LinkProbe probeLink(Ring& ring, const std::stop_token& stop) {
    const int ranks = ring.ranks();
    const auto found = std::make_shared<Found>(ranks);
    ring.run([found](RingRank& rank) { measure(rank, *found); }, stop);
    ring.gather(found->us, RingPlan(ranks, ranks), stop);
    LinkProbe probe;
    const at::Tensor slowest = found->us.amax(0);
    for (std::size_t i = 0; i < kSeries.size(); ++i)
        probe.times.push_back(
            {static_cast<double>(kSeries[i].bytes), slowest.const_data_ptr<double>()[i]});
    probe.figures = fitLink(probe.times);
    const Series& largest = kSeries.back();
    probe.figures.processorNsPerByte = 1e6 * found->processorMs
        / (static_cast<double>(largest.bytes) * (largest.repeats + 1) * found->ranksHere);
    return probe;
}

LinkProbe probeLink(ProcessGroup& group, const std::stop_token& stop) {
    ProcessRanks ranks(group);
    return probeLink(ranks, stop);
}

} // namespace maskscope
