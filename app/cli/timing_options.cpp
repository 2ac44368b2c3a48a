// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/timing_options.h"

#include "app/cli/arguments.h"
#include "app/resources_folder.h"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace maskscope {

TimingOptions::TimingOptions(CLI::App& command) {
    command.add_option("--model", m_model, "Model folder (default: the shipped one)")
        ->check(notEmpty())
        ->type_name("DIR");
    command.add_option("--dtype", m_dtype, "fp32, bf16 or fp16")
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    command
        .add_option(
            "--threads", m_threads, "Threads of the computation (default: as the machine has)")
        ->check(CLI::Range(1, 1024));
    command.add_option("--repeats", m_repeats.count, "Measured runs of each; times are medians")
        ->check(CLI::Range(1, 1000));
    command.add_option("--warm-ups", m_repeats.warmUps, "Runs of each before, not counted")
        ->check(CLI::Range(0, 1000));
}

std::filesystem::path TimingOptions::model() const {
    return m_model.empty() ? shippedModel() : std::filesystem::path(m_model);
}

Precision TimingOptions::precision() const {
    return precisionArgumentFrom(m_dtype);
}

nlohmann::ordered_json jsonOf(const Spread& spread) {
    return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

std::string rangeText(const Spread& spread) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f to %.2f", spread.low, spread.high);
    return text.data();
}

} // namespace maskscope
