// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ring_report.h"

#include "app/cli/print_row.h"
#include "app/cli/timing_options.h"
#include "app/run_machine.h"
#include "core/engine/event_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <thread>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

int processors() {
    return static_cast<int>(std::thread::hardware_concurrency());
}

std::string nameOf(const RingCost& cost, std::size_t strategy) {
    return maskscope::nameOf(cost.strategies[strategy].grid);
}

const char* wordOf(const RingVerdict& verdict) {
    return verdict.tie ? "tie" : verdict.right() ? "right" : "WRONG";
}

Json jsonOfLink(const RingCost& cost) {
    const auto& link = cost.link;
    return {{"limit_gb_per_s",
                cost.asked.gigabytesPerSecond > 0 ? Json(cost.asked.gigabytesPerSecond) : Json()},
        {"gb_per_s", link.gigabytesPerSecond}, {"latency_us", link.latencyUs},
        {"processor_ns_per_byte", link.processorNsPerByte}};
}

Json jsonOfStrategies(const RingCost& cost) {
    Json list = Json::array();
    for (std::size_t i = 0; i < cost.strategies.size(); ++i) {
        const StrategyCost& strategy = cost.strategies[i];
        list.push_back({{"name", nameOf(cost, i)}, {"ulysses", strategy.grid.ulysses},
            {"ring", strategy.grid.ring}, {"ms", jsonOf(strategy.ms)},
            {"predicted_ms", strategy.predictedMs}, {"exposed_ms", strategy.exposedMs},
            {"link_ms", strategy.linkMs}, {"sent_bytes", strategy.sentBytes},
            {"overhead", strategy.overhead}});
    }
    return list;
}

Json jsonOf(const RingCostPlan& plan, const RingCost& cost) {
    const std::size_t best = cost.quickestShared();
    const RingVerdict& verdict = cost.verdict;
    return {{"event", "ring_cost"}, {"overhead", cost.strategies[best].overhead},
        {"strategy", nameOf(cost, best)}, {"ranks", cost.ranks}, {"threads", plan.shape.threads},
        {"processors", processors()}, {"t1_ms", jsonOf(cost.strategies.front().ms)},
        {"tn_ms", jsonOf(cost.strategies[best].ms)}, {"all_threads_ms", jsonOf(cost.wholeMs)},
        {"ratio", cost.ratio}, {"ratio_95", {cost.ratioLow, cost.ratioHigh}},
        {"link", jsonOfLink(cost)}, {"strategies", jsonOfStrategies(cost)},
        {"recommended", nameOf(cost, verdict.recommended)},
        {"quickest", nameOf(cost, verdict.quickest)}, {"recommended_over_quickest", verdict.ratio},
        {"verdict", wordOf(verdict)}, {"sentence", cost.sentence()},
        {"patches", plan.shape.patches}, {"heads", plan.shape.heads},
        {"head_dim", plan.shape.headDim}, {"dtype", nameOf(plan.shape.precision)},
        {"rounds", plan.rounds}, {"largest_difference", cost.largestDifference}};
}

/// What the figures are of, where ranks do not have processors of their own.
std::string sharingText(int ranks, int threads) {
    if (ranks * threads <= processors())
        return "";
    return "The " + std::to_string(ranks) + " ranks share " + std::to_string(processors())
        + " processor(s), so each computes more slowly than it would alone, and waits for others "
          "that compute.";
}

std::string limitText(const RingCost& cost) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%g GB/s", cost.asked.gigabytesPerSecond);
    return cost.asked.gigabytesPerSecond > 0 ? text.data() : "no limit";
}

} // namespace

void RingReport::tell(const RingCostPlan& plan, const RingCost& cost) {
    ++m_points;
    m_right += cost.verdict.right();
    m_ties += cost.verdict.tie;
    if (cost.verdict.tie)
        m_largestTie = std::max(m_largestTie, cost.verdict.ratio);
    if (m_json)
        std::cout << lineOf(jsonOf(plan, cost)) << '\n' << std::flush;
    else if (m_kind == Kind::Point)
        tellPoint(plan, cost);
    else
        tellGridPoint(plan, cost);
}

void RingReport::tellPoint(const RingCostPlan& plan, const RingCost& cost) const {
    const RingShape& shape = plan.shape;
    const std::size_t best = cost.quickestShared();
    const RingVerdict& verdict = cost.verdict;
    printRow("GPU-seconds overhead, n Tn / T1 - 1: %+.1f %% over %d ranks, %s",
        100 * cost.strategies[best].overhead, cost.ranks, nameOf(cost, best).c_str());
    printRow("link between the ranks: %.1f us + bytes / %.2f GB/s each way (%s)",
        cost.link.latencyUs, cost.link.gigabytesPerSecond, limitText(cost).c_str());
    printRow("  %-20s %10s %-20s %10s %10s %10s %9s", "", "ms", "range", "predicted", "exposed",
        "by link", "overhead");
    for (std::size_t i = 0; i < cost.strategies.size(); ++i) {
        const StrategyCost& strategy = cost.strategies[i];
        printRow("  %-20s %10.1f %-20s %10.1f %10.2f %10.2f %+8.1f %%", nameOf(cost, i).c_str(),
            strategy.ms.median, rangeText(strategy.ms).c_str(), strategy.predictedMs,
            strategy.exposedMs, strategy.linkMs, 100 * strategy.overhead);
    }
    printRow("  %-20s %10.1f %s", "threads of all", cost.wholeMs.median,
        rangeText(cost.wholeMs).c_str());
    std::cout << "recommended: " << cost.sentence() << '\n';
    if (verdict.right() && !verdict.tie)
        printRow("measured: %s is the quickest: confirmed", nameOf(cost, verdict.quickest).c_str());
    else
        printRow("measured: %s is the quickest, %s takes %.3f times as long: %s",
            nameOf(cost, verdict.quickest).c_str(), nameOf(cost, verdict.recommended).c_str(),
            verdict.ratio,
            verdict.tie ? "within what rounds differ by, so not refuted" : "refuted");
    printRow(
        "%s takes %.3f times as long as one call with the threads of all (95 %%: %.3f to %.3f)",
        nameOf(cost, best).c_str(), cost.ratio, cost.ratioLow, cost.ratioHigh);
    printRow("%lld patches, %lld heads x %lld, %s, %d thread(s) a rank, %d rounds; results differ "
             "by %.2g at most",
        static_cast<long long>(shape.patches), static_cast<long long>(shape.heads),
        static_cast<long long>(shape.headDim), std::string(nameOf(shape.precision)).c_str(),
        shape.threads, plan.rounds, cost.largestDifference);
    if (const auto text = sharingText(cost.ranks, shape.threads); !text.empty())
        std::cout << text << '\n';
}

void RingReport::tellGridPoint(const RingCostPlan& plan, const RingCost& cost) const {
    if (m_points == 1)
        printRow("%7s %5s %9s  %-20s %-20s %7s", "patches", "ranks", "link", "recommended",
            "quickest", "ratio");
    const RingVerdict& verdict = cost.verdict;
    printRow("%7lld %5d %9s  %-20s %-20s %7.3f  %s", static_cast<long long>(plan.shape.patches),
        cost.ranks, limitText(cost).c_str(), nameOf(cost, verdict.recommended).c_str(),
        nameOf(cost, verdict.quickest).c_str(), verdict.ratio, wordOf(verdict));
    for (std::size_t i = 0; i < cost.strategies.size(); ++i) {
        const StrategyCost& strategy = cost.strategies[i];
        printRow("%25s%-20s %9.2f ms %9.2f predicted, exposed %7.2f, %7.2f by link", "",
            nameOf(cost, i).c_str(), strategy.ms.median, strategy.predictedMs, strategy.exposedMs,
            strategy.linkMs);
    }
}

void RingReport::end() const {
    if (m_kind == Kind::Point)
        return;
    const double share = m_points > 0 ? double(m_right) / m_points : 0;
    const RunMachine machine = thisMachine();
    if (m_json) {
        std::cout << lineOf({{"event", "summary"}, {"points", m_points}, {"right", m_right},
            {"ties", m_ties}, {"largest_tie", m_largestTie}, {"share", share}, {"tie_within", kTie},
            {"machine",
                {{"processor", machine.processor}, {"capability", machine.capability},
                    {"processors", processors()}, {"torch", machine.torchVersion}}}})
                  << '\n';
        return;
    }
    printRow("right in %d of %d (%.0f %%): the quickest in %d, and %d ties, at most %.3f times the "
             "quickest",
        m_right, m_points, 100 * share, m_right - m_ties, m_ties, m_largestTie);
    printRow(
        "A tie: another was quicker, but by less than %.0f %%, or by less than the 95 %% interval "
        "of the rounds' ratios.",
        100 * kTie);
    printRow("%s, %d processor(s), LibTorch %s; ranks beyond that share them, and the prediction "
             "counts it.",
        machine.processor.c_str(), processors(), machine.torchVersion.c_str());
}

} // namespace maskscope
