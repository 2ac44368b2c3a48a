// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/comparison_output.h"
#include "core/history/run_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// `history [list|show ID|compare A B|export ID FILE|import FILE|delete ID…]`: the past runs that
/// `segment --record`, `compare --record` and the window keep.
class HistoryCommand final : public Command {
public:
    explicit HistoryCommand(CLI::App& app);

    int run() const override;

private:
    int list() const;
    int show() const;
    int exportRun() const;
    int importRun() const;
    int compare() const;
    int remove() const;
    RunRecord load() const;

    CLI::App* m_show;
    CLI::App* m_export;
    CLI::App* m_import;
    CLI::App* m_compare;
    CLI::App* m_delete;
    std::int64_t m_id = 0;
    std::vector<std::int64_t> m_ids;
    std::filesystem::path m_file;
    std::string m_first;
    std::string m_second;
    std::optional<ComparisonOutput> m_output;
    std::string m_words;
    std::int64_t m_most = 50;
    bool m_force = false;
};

} // namespace maskscope
