// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_decoder.h"

#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {

DecoderBench::DecoderBench(Command& bench)
    : Command(bench, "decoder", "The first mask of a picture on each path of the mask decoder",
        "maskscope-cli bench decoder --patches 1024,3952 --paths mha,sdpa")
    , m_timing(options()) {
    CLI::App* c = &options();
    c->add_option("--patches", m_patches, "Numbers of patches, with commas")
        ->delimiter(',')
        ->type_name("P,P,...");
    c->add_option("--paths", m_paths, "mha, sdpa, flash; the first is what the others are held to")
        ->delimiter(',')
        ->type_name("PATH,...");
}

DecoderPlan DecoderBench::plan() const {
    DecoderPlan plan;
    plan.model = m_timing.model();
    plan.patches = m_patches;
    plan.paths.clear();
    for (const std::string& name : m_paths)
        if (const auto path = attentionPathFrom(name))
            plan.paths.push_back(*path);
        else
            throw Failure(
                ErrorKind::Usage, "--paths cannot hold \"" + name + "\": give mha, sdpa or flash.");
    plan.precision = m_timing.precision();
    plan.threads = m_timing.threads();
    plan.repeats = m_timing.repeats();
    return plan;
}

void DecoderBench::tell(const std::vector<DecoderCost>& costs) const {
    const DecoderCost& first = costs.front();
    for (const DecoderCost& cost : costs) {
        const double time = cost.ms.median / first.ms.median;
        const double memory = double(cost.extraPeakBytes) / double(first.extraPeakBytes);
        if (json())
            std::cout << lineOf(
                {{"event", "decoder_cost"}, {"path", nameOf(cost.path)}, {"patches", cost.patches},
                    {"ms", jsonOf(cost.ms)}, {"extra_peak_bytes", cost.extraPeakBytes},
                    {"time_over_first", time}, {"bytes_over_first", memory}})
                      << '\n'
                      << std::flush;
        else
            printRow("%-6s %8lld %10.2f ms  %-22s %8.3f x %13s %8.3f x",
                std::string(nameOf(cost.path)).c_str(), static_cast<long long>(cost.patches),
                cost.ms.median, rangeText(cost.ms).c_str(), time,
                bytesText(cost.extraPeakBytes, 2).c_str(), memory);
    }
}

int DecoderBench::run() const {
    const Interrupt interrupt;
    bool headed = json();
    auto all = nlohmann::ordered_json::array();
    const auto onCosts = [&](const std::vector<DecoderCost>& costs) {
        if (!std::exchange(headed, true))
            printRow("%-6s %8s %13s  %-22s %10s %13s %10s", "path", "patches", "mask stage",
                "range", "ratio", "extra peak", "ratio");
        tell(costs);
        for (const DecoderCost& cost : costs)
            all.push_back({{"path", nameOf(cost.path)}, {"patches", cost.patches},
                {"time_over_first", cost.ms.median / costs.front().ms.median}});
    };
    try {
        measureDecoder(plan(), onCosts, interrupt.stop().get_token());
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    if (json())
        std::cout << lineOf({{"event", "summary"}, {"ratios", all}}) << '\n';
    return 0;
}

} // namespace maskscope
