// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/measure/ring_contest.h"
#include "core/measure/stopwatch.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"

#include <ATen/TensorOperators.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <tuple>

namespace maskscope {

namespace {

double msOf(const std::function<at::Tensor()>& work) {
    const Stopwatch watch;
    const at::Tensor out = work();
    return watch.ms();
}

/// What each way took on one link, round by round.
struct Rounds {
    explicit Rounds(std::size_t ways)
        : ms(ways)
        , exposedMs(ways) { }

    std::vector<std::vector<double>> ms; ///< by strategy
    std::vector<std::vector<double>> exposedMs;
    std::vector<double> wholeMs;
};

// Of the rehearsal: rounds that are needed, and those that are enough.
constexpr int kLeastRounds = 5;
constexpr int kMostRounds = 41;

/// The mean of the lower three quarters: other programs only ever add to what something takes, and
/// with as few rounds as a rehearsal has, ways that are near are told apart by a mean more often
/// than by a median.
double usualOf(std::vector<double> values) {
    const auto end = values.end() - static_cast<std::ptrdiff_t>(values.size() / 4);
    std::ranges::nth_element(values, end - 1);
    return std::accumulate(values.begin(), end, 0.0) / static_cast<double>(end - values.begin());
}

double longestWait(const std::vector<RankTimes>& times) {
    double longest = 0;
    for (const RankTimes& rank : times)
        longest = std::max(longest, rank.exposedMs);
    return longest;
}

void check(const RingCostPlan& plan) {
    const RingShape& shape = plan.shape;
    if (shape.patches < 1 || shape.heads < 1 || shape.headDim < 1 || plan.rounds < 1
        || shape.threads < 1)
        throw Failure(ErrorKind::Usage,
            "There is nothing to measure: give at least one patch, head, number per head, thread"
            " and round.");
}

/// Measures the contest on all links.
class Measurement {
public:
    Measurement(const RingCostPlan& plan, const std::stop_token& stop)
        : m_plan(plan)
        , m_stop(stop)
        , m_contest(plan.shape, plan.ulysses)
        , m_costs(plan.links.size())
        , m_rounds(plan.links.size(), Rounds(m_contest.grids().size())) { }

    /// Also the first run of each, which sets things up.
    void compareResults() {
        const at::Tensor single = m_contest.single(allThreads()).to(at::kFloat);
        double largest = 0;
        for (std::size_t which = 1; which < m_contest.grids().size(); ++which) {
            const at::Tensor out = m_contest.attend(which, m_stop).to(at::kFloat);
            largest = std::max(largest, (out - single).abs_().max().item<double>());
        }
        for (RingCost& cost : m_costs)
            cost.largestDifference = largest;
    }

    void probeLinks() {
        for (std::size_t link = 0; link < m_costs.size(); ++link) {
            m_costs[link].ranks = m_contest.ranks();
            m_costs[link].asked = m_plan.links[link];
            m_contest.setLink(m_costs[link].asked);
            m_costs[link].link = m_contest.probeLink(m_stop).figures;
        }
    }

    /// Ranks that are threads share caches, memory and often processors, and so does what carries
    /// their bytes. What that costs a way to share, nothing smaller than the way itself tells: with
    /// links that carry nothing, or without the waits between ranks, near ones change places.
    void predict() {
        std::vector<Rounds> rehearsal(m_costs.size(), Rounds(m_contest.grids().size()));
        const double enoughMs = m_plan.rehearsalMs * static_cast<double>(m_costs.size());
        const Stopwatch watch;
        for (int number = 1;
             number <= kLeastRounds || (number <= kMostRounds && watch.ms() < enoughMs); ++number)
            goThrough(number, rehearsal);
        for (std::size_t link = 0; link < m_costs.size(); ++link)
            predict(m_costs[link], rehearsal[link]);
    }

    void measure(int round) { goThrough(round, m_rounds); }

    std::vector<RingCost> costs() {
        for (std::size_t link = 0; link < m_costs.size(); ++link)
            conclude(m_costs[link], m_rounds[link]);
        return m_costs;
    }

    std::string trace() const { return m_contest.traced(m_costs.back().quickestShared(), m_stop); }

private:
    int allThreads() const { return m_plan.shape.threads * m_contest.ranks(); }

    /// Each way once on each link, in another order every time; what needs none once for all.
    void goThrough(int round, std::vector<Rounds>& rounds) {
        const double one = msOf([&] { return m_contest.attend(0, m_stop); });
        const double whole = msOf([&] { return m_contest.single(allThreads()); });
        for (std::size_t link = 0; link < m_costs.size(); ++link) {
            Rounds& here = rounds[link];
            m_contest.setLink(m_costs[link].asked);
            here.ms.front().push_back(one);
            here.exposedMs.front().push_back(0);
            here.wholeMs.push_back(whole);
            const std::size_t ways = m_contest.grids().size() - 1;
            for (std::size_t turn = 0; turn < ways; ++turn) {
                const std::size_t which = 1 + (turn + static_cast<std::size_t>(round)) % ways;
                throwIfStopped(m_stop);
                here.ms[which].push_back(msOf([&] { return m_contest.attend(which, m_stop); }));
                here.exposedMs[which].push_back(longestWait(m_contest.times(which)));
            }
        }
    }

    void predict(RingCost& cost, const Rounds& rehearsal) const {
        for (std::size_t which = 0; which < m_contest.grids().size(); ++which) {
            StrategyCost& strategy = cost.strategies.emplace_back();
            strategy.grid = m_contest.grids()[which];
            strategy.predictedMs = usualOf(rehearsal.ms[which]);
            const double waitedMs = usualOf(rehearsal.exposedMs[which]);
            const StrategyForecast forecast = forecastOf(m_contest.layer(),
                m_contest.work(which, strategy.predictedMs - waitedMs), cost.link);
            strategy.linkMs = forecast.exposedMs;
            strategy.sentBytes = forecast.sentBytes;
        }
    }

    static void conclude(RingCost& cost, const Rounds& rounds) {
        std::vector<double> predicted;
        for (std::size_t which = 0; which < cost.strategies.size(); ++which) {
            StrategyCost& strategy = cost.strategies[which];
            strategy.ms = spreadOf(rounds.ms[which]);
            strategy.exposedMs = spreadOf(rounds.exposedMs[which]).median;
            strategy.overhead
                = strategy.grid.ranks() * strategy.ms.median / cost.strategies.front().ms.median
                - 1;
            predicted.push_back(strategy.predictedMs);
        }
        cost.verdict = verdictOf(predicted, rounds.ms);
        cost.wholeMs = spreadOf(rounds.wholeMs);
        std::vector<double> ratios;
        const std::vector<double>& shared = rounds.ms[cost.quickestShared()];
        for (std::size_t round = 0; round < shared.size(); ++round)
            ratios.push_back(shared[round] / rounds.wholeMs[round]);
        cost.ratio = spreadOf(ratios).median;
        std::tie(cost.ratioLow, cost.ratioHigh) = intervalOfMedian(ratios);
    }

    const RingCostPlan& m_plan;
    const std::stop_token& m_stop;
    RingContest m_contest;
    std::vector<RingCost> m_costs; ///< by link, as m_rounds
    std::vector<Rounds> m_rounds;
};

} // namespace

std::size_t RingCost::quickestShared() const {
    const auto least = std::min_element(strategies.begin() + 1, strategies.end(),
        [](const auto& a, const auto& b) { return a.ms.median < b.ms.median; });
    return static_cast<std::size_t>(least - strategies.begin());
}

std::string RingCost::sentence() const {
    std::vector<StrategyCost> quickestFirst = strategies;
    std::ranges::stable_sort(quickestFirst, {}, &StrategyCost::predictedMs);
    std::string sentence;
    for (const StrategyCost& strategy : quickestFirst) {
        std::array<char, 80> figures{};
        std::snprintf(figures.data(), figures.size(), ": %.1f ms", strategy.predictedMs);
        sentence += (sentence.empty() ? "" : "; ") + nameOf(strategy.grid) + figures.data();
        std::snprintf(figures.data(), figures.size(), ", %.1f for the link", strategy.linkMs);
        if (strategy.linkMs >= 0.05)
            sentence += figures.data();
    }
    return sentence;
}

std::vector<RingCost> measureRing(const RingCostPlan& plan,
    const std::function<void(int round)>& onRound, const std::stop_token& stop,
    std::string* trace) {
    check(plan);
    installCountingAllocator();
    prepareRequest({});
    const MemoryBudget budget(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
    const c10::InferenceMode inference;
    std::optional<Error> error;
    try {
        Measurement measurement(plan, stop);
        measurement.compareResults();
        measurement.probeLinks();
        measurement.predict();
        for (int round = 1; round <= plan.rounds; ++round) {
            throwIfStopped(stop);
            measurement.measure(round);
            budget.check();
            onRound(round);
        }
        auto costs = measurement.costs();
        if (trace)
            *trace = measurement.trace();
        return costs;
    } catch (const Cancelled&) {
        throw;
    } catch (...) {
        error = budget.errorOf(std::current_exception());
    }
    throw Failure(std::move(*error));
}

} // namespace maskscope
