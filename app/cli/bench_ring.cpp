// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_ring.h"

#include "app/cli/arguments.h"
#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "app/cli/timing_options.h"
#include "core/base/cancelled.h"
#include "core/engine/event_json.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace maskscope {

RingBench::RingBench(Command& bench)
    : Command(bench, "ring", "Attention over several ranks, against one device",
        "maskscope-cli bench ring --patches 7776 --ring-devices cpu,cpu --threads 1") {
    CLI::App* c = &options();
    c->add_option("--patches", m_plan.patches, "Tokens that attend to each other")
        ->check(CLI::Range(1, 1 << 20));
    c->add_option("--heads", m_plan.heads, "Attention heads")->check(CLI::Range(1, 1024));
    c->add_option("--head-dim", m_plan.headDim, "Numbers of a head")->check(CLI::Range(1, 1024));
    c->add_option("--ring-devices", m_devices, "A device for each rank (default: cpu,cpu)")
        ->type_name("DEVICE,...");
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16");
    c->add_option("--threads", m_plan.threads, "Threads of each rank")->check(CLI::Range(1, 1024));
    c->add_option("--repeats", m_plan.rounds, "Rounds, each of which measures all in turn")
        ->check(CLI::Range(1, 1000));
}

void RingBench::tell(const RingCostPlan& plan, const RingCost& cost) const {
    if (json()) {
        std::cout << lineOf({{"event", "ring_cost"}, {"overhead", cost.overhead},
            {"ranks", cost.ranks}, {"threads", plan.threads}, {"t1_ms", jsonOf(cost.oneMs)},
            {"tn_ms", jsonOf(cost.ringMs)}, {"all_threads_ms", jsonOf(cost.allMs)},
            {"ratio", cost.ratio}, {"ratio_95", {cost.ratioLow, cost.ratioHigh}},
            {"patches", plan.patches}, {"heads", plan.heads}, {"head_dim", plan.headDim},
            {"dtype", nameOf(plan.precision)}, {"rounds", plan.rounds},
            {"largest_difference", cost.largestDifference}})
                  << '\n';
        return;
    }
    printRow("GPU-seconds overhead, n Tn / T1 - 1: %+.1f %% over %d ranks", 100 * cost.overhead,
        cost.ranks);
    const auto time = [](const char* what, const Spread& ms) {
        printRow("  %-34s %10.1f ms  %s", what, ms.median, rangeText(ms).c_str());
    };
    time("T1, one device like a rank", cost.oneMs);
    time("Tn, the ring", cost.ringMs);
    time("one call with the threads of all", cost.allMs);
    printRow("the ring takes %.3f times as long as that call (95 %%: %.3f to %.3f)", cost.ratio,
        cost.ratioLow, cost.ratioHigh);
    printRow("%lld patches, %lld heads x %lld, %s, %d thread(s) a rank, %d rounds; results differ "
             "by %.2g at most",
        static_cast<long long>(plan.patches), static_cast<long long>(plan.heads),
        static_cast<long long>(plan.headDim), m_dtype.c_str(), plan.threads, plan.rounds,
        cost.largestDifference);
}

int RingBench::run() const {
    const Interrupt interrupt;
    RingCostPlan plan = m_plan;
    if (!m_devices.empty())
        plan.devices = ringDevicesFrom(m_devices);
    plan.precision = precisionArgumentFrom(m_dtype);
    RingCost cost;
    try {
        ProgressBar bar;
        cost = measureRing(
            plan, [&](int round) { bar.show("ring", double(round) / plan.rounds); },
            interrupt.stop().get_token());
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    tell(plan, cost);
    return 0;
}

} // namespace maskscope
