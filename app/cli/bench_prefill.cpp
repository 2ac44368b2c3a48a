// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_prefill.h"

#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {

PrefillBench::PrefillBench(Command& bench)
    : Command(bench, "prefill", "A prompt before the first token of the answer, over its length",
        "maskscope-cli bench prefill --preset nanovlm-222m --lengths 128,512")
    , m_timing(options()) {
    CLI::App* c = &options();
    c->add_option("--preset", m_preset,
         "The published shape of a language model instead, with drawn weights")
        ->check(CLI::IsMember({"nanovlm-222m", "nanovlm-450m"}));
    c->add_option("--lengths", m_lengths, "Numbers of tokens of the prompt, with commas")
        ->delimiter(',')
        ->type_name("N,N,...");
}

PrefillPlan PrefillBench::plan() const {
    if (given("--model") && given("--preset"))
        throw Failure(ErrorKind::Usage, "--model and --preset exclude each other: give one.");
    PrefillPlan plan;
    if (m_preset.empty())
        plan.model = m_timing.model();
    else
        plan.model = publishedLanguage(m_preset).value();
    plan.lengths = m_lengths;
    std::ranges::sort(plan.lengths);
    plan.precision = m_timing.precision();
    plan.threads = m_timing.threads();
    plan.repeats = m_timing.repeats();
    return plan;
}

void PrefillBench::tell(const PrefillCost& cost) const {
    if (json())
        std::cout << lineOf({{"event", "prefill_cost"}, {"length", cost.length},
            {"ms", jsonOf(cost.ms)}, {"next_token_ms", jsonOf(cost.nextMs)},
            {"next_over_prompt", cost.nextOverPrompt()}, {"extra_peak_bytes", cost.extraPeakBytes}})
                  << '\n'
                  << std::flush;
    else
        printRow("%8lld %10.2f ms  %-22s %10.1f %12.2f ms %9.1f x %13s",
            static_cast<long long>(cost.length), cost.ms.median, rangeText(cost.ms).c_str(),
            double(cost.length) / cost.ms.median * 1000, cost.nextMs.median, cost.nextOverPrompt(),
            bytesText(cost.extraPeakBytes, 2).c_str());
}

int PrefillBench::run() const {
    const Interrupt interrupt;
    bool headed = json();
    const auto onCost = [&](const PrefillCost& cost) {
        if (!std::exchange(headed, true))
            printRow("%8s %13s  %-22s %10s %15s %11s %13s", "tokens", "prompt", "range", "tokens/s",
                "next token", "ratio", "extra peak");
        tell(cost);
    };
    std::vector<PrefillCost> costs;
    try {
        costs = measurePrefill(plan(), onCost, interrupt.stop().get_token());
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    auto ratios = nlohmann::ordered_json::array();
    for (const PrefillCost& cost : costs)
        ratios.push_back({{"length", cost.length}, {"next_over_prompt", cost.nextOverPrompt()}});
    if (json())
        std::cout << lineOf({{"event", "summary"}, {"ratios", ratios}}) << '\n';
    else
        std::cout << "\nratio: a token of the answer takes that many times as long as one of the "
                     "prompt\n";
    return 0;
}

} // namespace maskscope
