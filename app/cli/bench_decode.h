// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/measure/token_cost.h"

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `bench decode`: what the KV cache saves and what it costs, token by token.
class DecodeBench final : public Command {
public:
    explicit DecodeBench(Command& bench);
    int run() const override;

private:
    TokenCostPlan plan() const;
    std::string circumstances(const TokenCostPlan& plan) const;
    void printHeader(const TokenCostPlan& plan) const;
    void tell(const TokenCost& cost) const;
    void tellSummary(const TokenCostPlan& plan, const std::vector<TokenCost>& costs) const;
    void plot(const std::vector<TokenCost>& costs) const;

    std::string m_model;
    std::string m_preset;
    std::vector<std::int64_t> m_positions{64, 128, 256, 512, 1024};
    std::string m_dtype = "fp32";
    int m_threads = 0;
    int m_repeats = 5;
    std::filesystem::path m_plot;
    std::filesystem::path m_memoryPlot;
    bool m_force = false;
};

} // namespace maskscope
