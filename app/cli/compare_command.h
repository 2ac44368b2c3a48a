// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/comparison_output.h"
#include "app/cli/request_options.h"
#include "core/compare/comparison_run.h"
#include "core/image/image.h"

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `compare IMAGE -p TEXT --config … --config …`: the same request in several ways, each in a
/// process of its own, with figures, verdicts and reports.
class CompareCommand final : public Command {
public:
    explicit CompareCommand(CLI::App& app);

    int run() const override;

private:
    ComparisonPlan plan() const;
    std::vector<ComparedRuns> measured(const ComparisonPlan& plan) const;
    int keep(const std::vector<ComparedRuns>& compared, const Image& image) const;

    std::filesystem::path m_image;
    std::vector<std::string> m_configurations;
    int m_repeats = 1;
    std::string m_record; ///< title; empty without --record
    ComparisonOutput m_output;
    RequestOptions m_request;
};

/// Hidden: serves one run and prints its events (core/compare/run_process.h).
class ServeRunCommand final : public Command {
public:
    explicit ServeRunCommand(CLI::App& app);
    int run() const override;

private:
    std::string m_specification;
};

} // namespace maskscope
