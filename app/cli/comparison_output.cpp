// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparison_output.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_note.h"
#include "core/compare/report_html.h"
#include "core/compare/report_json.h"
#include "core/compare/report_text.h"
#include "core/engine/event_json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

constexpr std::size_t kMostColumn = 34; ///< letters of a column of the table

void printTable(const FiguresTable& table) {
    std::vector<std::vector<std::string>> lines{{""}};
    for (const std::string& column : table.columns)
        lines.front().push_back(printable(column, kMostColumn));
    for (const FiguresTable::Row& row : table.rows) {
        lines.push_back({row.name});
        for (const std::string& cell : row.cells)
            lines.back().push_back(printable(cell, kMostColumn));
    }
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i)
            text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        std::cout << text << '\n';
    }
}

void print(const std::vector<ComparedRuns>& compared) {
    for (const std::string& line : circumstancesOf(compared))
        std::cout << oneLine(line) << '\n';
    std::cout << '\n';
    printTable(figuresOf(compared));
    std::cout << '\n';
    for (const std::string& note : memoryNotesOf(compared))
        std::cout << oneLine(note) << '\n';
    const std::vector<Comparison> comparisons = comparisonsOf(compared);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        std::cout << oneLine(compared[i + 1].header.title) << " against "
                  << oneLine(compared.front().header.title) << " (" << nameOf(comparisons[i].kind)
                  << "): " << oneLine(comparisons[i].sentence) << '\n';
    for (const std::string& remark : remarksOf(compared))
        std::cout << oneLine(remark) << '\n';
}

void writeFile(
    const std::filesystem::path& file, const std::string& content, Existing existing, bool json) {
    AtomicFile output(file);
    output.write(content);
    output.commit(existing);
    (json ? std::cerr : std::cout) << "wrote " << oneLine(file.string()) << '\n';
}

} // namespace

ComparisonOutput::ComparisonOutput(CLI::App& command) {
    command.add_option("--html", m_html, "Write a report that a browser shows, in one file")
        ->check(notEmpty())
        ->type_name("FILE");
    command.add_option("--text", m_text, "Write the text of a change request (Markdown)")
        ->check(notEmpty())
        ->type_name("FILE");
    command.add_flag("--force", m_force, "Overwrite existing files");
}

void ComparisonOutput::check() const {
    if (!m_html.empty() && !m_text.empty()
        && std::filesystem::weakly_canonical(m_html) == std::filesystem::weakly_canonical(m_text))
        throw Failure(ErrorKind::Usage,
            "--html and --text cannot be the same file, " + printable(m_html.string())
                + ": give each one of its own.");
    for (const std::filesystem::path& file : {m_html, m_text})
        if (!file.empty())
            checkCanWrite(file, m_force ? Existing::Replace : Existing::Keep);
}

void ComparisonOutput::tell(const std::vector<ComparedRuns>& compared, bool json) const {
    if (json)
        std::cout << lineOf(summaryJson(compared)) << '\n';
    else
        print(compared);
    for (const std::string& failure : failuresOf(compared))
        std::cerr << "maskscope-cli: " << oneLine(failure) << '\n';
}

void ComparisonOutput::write(const std::vector<ComparedRuns>& compared,
    const std::function<Image()>& picture, bool json) const {
    const Existing existing = m_force ? Existing::Replace : Existing::Keep;
    if (!m_html.empty())
        writeFile(m_html, htmlReport(compared, picture()), existing, json);
    if (!m_text.empty())
        writeFile(m_text, changeRequestOf(compared), existing, json);
}

} // namespace maskscope
