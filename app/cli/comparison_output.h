// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/image/image.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace maskscope {

/// How a command that compares runs tells what it found: figures and verdicts on standard output,
/// and the reports that --html and --text ask for.
class ComparisonOutput {
public:
    /// Adds --html, --text and --force to `command`, which outlives it.
    explicit ComparisonOutput(CLI::App& command);
    ComparisonOutput(const ComparisonOutput&) = delete;
    ComparisonOutput& operator=(const ComparisonOutput&) = delete;

    /// Before anything is run. Throws Failure(Input) when a report could not be written.
    void check() const;

    /// With `json`, the summary's line.
    void tell(const std::vector<ComparedRuns>& compared, bool json) const;

    /// `picture` is only asked for the report that shows it.
    void write(const std::vector<ComparedRuns>& compared, const std::function<Image()>& picture,
        bool json) const;

private:
    std::filesystem::path m_html;
    std::filesystem::path m_text;
    bool m_force = false;
};

} // namespace maskscope
