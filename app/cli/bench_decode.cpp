// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_decode.h"

#include "app/cli/arguments.h"
#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/base/bytes.h"
#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"
#include "core/engine/machine.h"
#include "core/image/chart_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1 << 20;

Json jsonOf(const TokenCost& cost) {
    return {{"event", "token_cost"}, {"kv_cache", nameOf(cost.mode)}, {"position", cost.position},
        {"ms", cost.ms}, {"low_ms", cost.lowMs}, {"high_ms", cost.highMs},
        {"kept_bytes", cost.keptBytes}, {"extra_peak_bytes", cost.extraPeakBytes}};
}

const TokenCost* costAt(
    const std::vector<TokenCost>& costs, KvCacheMode mode, std::int64_t position) {
    const auto found = std::ranges::find_if(costs,
        [&](const TokenCost& cost) { return cost.mode == mode && cost.position == position; });
    return found == costs.end() ? nullptr : &*found;
}

Chart chartOf(const std::vector<TokenCost>& costs, const std::string& title,
    const std::string& unit, const std::function<double(const TokenCost&)>& value) {
    Chart chart{title, "tokens before", unit, {}};
    for (const KvCacheMode mode : {KvCacheMode::Off, KvCacheMode::On}) {
        ChartSeries series{"KV cache " + std::string(nameOf(mode)), {}, {}};
        for (const TokenCost& cost : costs)
            if (cost.mode == mode)
                series.points.push_back({double(cost.position), value(cost)});
        series.curve = series.points;
        chart.series.push_back(std::move(series));
    }
    return chart;
}

/// Steadier medians would need more repeats, or a machine that does nothing else.
bool isNoisy(const std::vector<TokenCost>& costs) {
    return std::ranges::any_of(
        costs, [](const TokenCost& cost) { return cost.highMs > 2 * cost.lowMs; });
}

} // namespace

DecodeBench::DecodeBench(Command& bench)
    : Command(bench, "decode", "A token of the answer with and without the KV cache",
        "maskscope-cli bench decode --preset nanovlm-222m --positions 64,128,256 --plot time.svg") {
    CLI::App* c = &options();
    c->add_option("--model", m_model, "Model folder (default: the shipped one)")
        ->check(notEmpty())
        ->type_name("DIR");
    c->add_option("--preset", m_preset,
         "The published shape of a language model instead, with drawn weights")
        ->check(CLI::IsMember({"nanovlm-222m", "nanovlm-450m"}));
    c->add_option("--positions", m_positions, "Numbers of tokens before, with commas")
        ->capture_default_str()
        ->delimiter(',')
        ->type_name("N,N,...");
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16")
        ->capture_default_str()
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    c->add_option(
         "--threads", m_threads, "Threads of the computation (default: as the machine has)")
        ->check(CLI::Range(1, 1024));
    c->add_option("--repeats", m_repeats, "Tokens measured at each position; times are medians")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    c->add_option("--plot", m_plot, "Draw time over position into a .svg or .png file")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_option("--plot-memory", m_memoryPlot, "The same for memory")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_flag("--force", m_force, "Overwrite existing plots");
}

TokenCostPlan DecodeBench::plan() const {
    if (!m_model.empty() && !m_preset.empty())
        throw Failure(ErrorKind::Usage, "--model and --preset exclude each other: give one.");
    TokenCostPlan plan;
    if (m_preset.empty())
        plan.model = m_model.empty() ? shippedModel() : std::filesystem::path(m_model);
    else
        plan.model = publishedLanguage(m_preset).value();
    plan.positions = m_positions;
    std::ranges::sort(plan.positions);
    plan.precision = precisionArgumentFrom(m_dtype);
    plan.threads = m_threads;
    plan.repeats = m_repeats;
    return plan;
}

std::string DecodeBench::circumstances(const TokenCostPlan& plan) const {
    const MachineInfo machine = describeMachine();
    const std::string model = m_preset.empty()
        ? "model " + std::get<std::filesystem::path>(plan.model).filename().string()
        : "the shape of " + m_preset + " with drawn weights";
    const int threads = plan.threads > 0 ? plan.threads : machine.threads;
    return model + ", " + std::string(nameOf(plan.precision)) + ", " + std::to_string(threads)
        + (threads == 1 ? " thread, " : " threads, ") + textOf(machine);
}

void DecodeBench::printHeader(const TokenCostPlan& plan) const {
    std::cout << oneLine(circumstances(plan)) << "\n\n";
    printRow("%-9s %8s %11s  %-22s %11s %16s", "", "tokens", "next token", "    range over", "kept",
        "beside, while");
    printRow("%-9s %8s %11s  %-22s %11s %16s", "", "before", "ms", "    repeats, ms", "MiB",
        "computing, MiB");
}

void DecodeBench::tell(const TokenCost& cost) const {
    if (json())
        std::cout << lineOf(jsonOf(cost)) << '\n' << std::flush;
    else
        printRow("%-9s %8lld %11.2f  %9.2f to %-9.2f %11.2f %16.2f",
            cost.mode == KvCacheMode::On ? "cache on" : "cache off",
            static_cast<long long>(cost.position), cost.ms, cost.lowMs, cost.highMs,
            double(cost.keptBytes) / kMiB, double(cost.extraPeakBytes) / kMiB);
}

void DecodeBench::tellSummary(
    const TokenCostPlan& plan, const std::vector<TokenCost>& costs) const {
    Json ratios = Json::array();
    for (const std::int64_t position : plan.positions) {
        const TokenCost* on = costAt(costs, KvCacheMode::On, position);
        const TokenCost* off = costAt(costs, KvCacheMode::Off, position);
        if (on && off)
            ratios.push_back({{"position", position}, {"time_off_over_on", off->ms / on->ms}});
    }
    const TokenCost *first = costAt(costs, KvCacheMode::On, plan.positions.front()),
                    *last = costAt(costs, KvCacheMode::On, plan.positions.back());
    const double tokens = double(last->position - first->position);
    const double perToken = tokens > 0 ? double(last->keptBytes - first->keptBytes) / tokens : 0;
    if (json()) {
        std::cout << lineOf(
            {{"event", "summary"}, {"circumstances", circumstances(plan)}, {"ratios", ratios},
                {"cache_bytes_per_token", tokens > 0 ? Json(perToken) : Json(nullptr)}})
                  << '\n';
        return;
    }
    std::cout << '\n';
    for (const Json& ratio : ratios)
        printRow("after %lld tokens, the next one takes %.1f times as long without the cache",
            static_cast<long long>(ratio["position"].get<std::int64_t>()),
            ratio["time_off_over_on"].get<double>());
    if (tokens > 0)
        printRow("the cache takes %s a token", bytesText(std::int64_t(perToken), 2).c_str());
    if (isNoisy(costs))
        std::cout
            << "The ranges are wide: something else took time of this machine. More --repeats "
               "make the medians steadier.\n";
}

void DecodeBench::plot(const std::vector<TokenCost>& costs) const {
    const Existing existing = m_force ? Existing::Replace : Existing::Keep;
    const auto write = [&](const std::filesystem::path& file, const Chart& chart) {
        if (file.empty())
            return;
        writeChart(chart, file, existing);
        (json() ? std::cerr : std::cout) << "wrote " << oneLine(file.string()) << '\n';
    };
    write(m_plot, chartOf(costs, "Time of the next token", "ms", &TokenCost::ms));
    write(m_memoryPlot,
        chartOf(
            costs, "Memory held and needed for the next token", "MiB", [](const TokenCost& cost) {
                return double(cost.keptBytes + cost.extraPeakBytes) / kMiB;
            }));
}

int DecodeBench::run() const {
    const Interrupt interrupt;
    const TokenCostPlan plan = this->plan();
    for (const auto& file : {m_plot, m_memoryPlot})
        if (!file.empty())
            checkChartFile(file, m_force ? Existing::Replace : Existing::Keep);
    bool headed = json();
    const auto onCost = [&](const TokenCost& cost) {
        if (!std::exchange(headed, true))
            printHeader(plan);
        tell(cost);
    };
    std::vector<TokenCost> costs;
    try {
        costs = measureTokens(plan, onCost, interrupt.stop().get_token());
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    tellSummary(plan, costs);
    plot(costs);
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return 0;
}

} // namespace maskscope
