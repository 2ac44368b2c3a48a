// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/report_text.h"

#include "core/base/bytes.h"
#include "core/base/change_text.h"
#include "core/compare/command_text.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_note.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

namespace maskscope {

namespace {

/// Text of people and models as Markdown shows it letter by letter. What is no markup where it
/// stands is left as it is: the text is read where nobody shows Markdown, too.
std::string plain(const std::string& text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : ' '; };
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    std::string safe;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool inWord = i > 0 && isLetter(text[i - 1]) && isLetter(at(i + 1));
        const bool numbers = i == digits && i > 0 && at(i + 1) == ' '; // "1. " begins a list
        if (std::string_view("\\`*[]<&|~").find(c) != std::string_view::npos
            || (c == '_' && !inWord) || (c == '#' && (i == 0 || isLetter(at(i + 1))))
            || (i == 0 && std::string_view(">+-=").find(c) != std::string_view::npos)
            || (numbers && (c == '.' || c == ')')))
            safe += '\\';
        safe += c == '\n' || c == '\r' ? ' ' : c;
    }
    return safe;
}

std::string titleOf(const ComparedRuns& compared) {
    return "“" + plain(compared.header.title) + "”";
}

/// What there is to say where figures cannot be set against each other.
std::string outcomeText(const ComparedRuns& compared) {
    const std::string title = titleOf(compared);
    if (const Report* report = reportOf(compared.first()))
        return title + " takes " + bytesText(extraPeakOf(compared.first()), 2)
            + " above its start, for " + std::to_string(report->patches) + " patches";
    if (const Error* error = errorOf(compared.first()))
        return title + " fails: "
            + plain(error->sentence.substr(0, error->sentence.find_last_not_of('.') + 1));
    return title + " has no result";
}

/// Of the stage in which the two differ most.
std::string problemText(const ComparedRuns& before, const std::optional<StageChange>& change) {
    if (!change)
        return outcomeText(before);
    return titleOf(before) + " takes " + bytesText(change->before, 2)
        + " above its start in the stage " + std::string(nameOf(change->stage)) + ", for "
        + std::to_string(reportOf(before.first())->patches) + " patches";
}

std::string changedText(const ComparedRuns& before, const ComparedRuns& after,
    const std::optional<StageChange>& change) {
    if (!change) {
        const bool both = reportOf(before.first()) && reportOf(after.first());
        return outcomeText(after) + (both ? ": no stage takes more or less than before" : "");
    }
    std::string text = titleOf(after) + " takes " + bytesText(change->after, 2) + " in that stage";
    if (change->before > 0 && change->after > 0)
        text += ": " + changeText(double(change->before), double(change->after));
    return text + "; " + runPeakText(before.first(), after.first());
}

/// Whether less memory, in the whole run or in the stage that differs most, or less time speaks for
/// the change.
bool isWorthIt(const ComparedRuns& before, const ComparedRuns& after,
    const std::optional<StageChange>& change) {
    constexpr double kLess = 0.95; ///< more is noise
    const auto peak = double(extraPeakOf(before.first()));
    const auto old = medianMsOf(before), fresh = medianMsOf(after);
    return double(extraPeakOf(after.first())) < kLess * peak
        || (change && double(change->after) < kLess * double(change->before))
        || (old && fresh && *fresh < kLess * *old);
}

/// Text that is shown as it is, whatever it holds.
void writeCode(std::ostream& out, const std::string& code) {
    std::string fence = "```";
    while (code.find(fence) != std::string::npos)
        fence += '`';
    out << fence << "sh\n" << code << '\n' << fence << "\n\n";
}

/// What takes the old way again, of what differs.
std::string escapeHatchOf(const Report& before, const Report& after) {
    std::vector<std::string> ways;
    const auto option = [&](const char* name, std::string_view value) {
        ways.push_back('`' + std::string(name) + ' ' + std::string(value) + '`');
    };
    if (before.attention.used != after.attention.used) {
        const std::string path(nameOf(before.attention.used));
        option("--attention", path);
        ways.back() += " (or `MASKSCOPE_DECODER_ATTN=" + path + "` without a change of code)";
    }
    if (before.kvCache != after.kvCache)
        option("--kv-cache", nameOf(before.kvCache));
    if (before.precision != after.precision)
        option("--dtype", nameOf(before.precision));
    if (before.patches != after.patches)
        ways.push_back("`--pixels` with the size of before");
    std::string text;
    for (std::size_t i = 0; i < ways.size(); ++i)
        text += (i == 0 ? ": " : i + 1 == ways.size() ? " and " : ", ") + ways[i];
    return text;
}

void writeTable(std::ostream& out, const FiguresTable& table) {
    out << "| |";
    for (const std::string& column : table.columns)
        out << ' ' << plain(column) << " |";
    out << "\n| --- |";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        out << " --- |";
    out << '\n';
    for (const FiguresTable::Row& row : table.rows) {
        out << "| " << row.name << " |";
        for (const std::string& cell : row.cells)
            out << (row.outstanding ? " **" + plain(cell) + "** |" : ' ' + plain(cell) + " |");
        out << '\n';
    }
}

/// Rows that must be equal to the bit apart from those where rounding is expected.
void writeOutputs(std::ostream& out, const std::vector<ComparedRuns>& compared,
    const std::vector<Comparison>& comparisons, PairKind kind, const char* heading) {
    bool headed = false;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        if (comparisons[i].kind == kind) {
            if (!std::exchange(headed, true))
                out << heading << "\n\n";
            out << "- " << plain(compared[i + 1].header.title) << " against "
                << plain(compared.front().header.title) << ": " << plain(comparisons[i].sentence)
                << '\n';
        }
    if (headed)
        out << '\n';
}

std::string originOf(const ComparedRuns& compared) {
    if (compared.origin == RunOrigin::Past)
        return "Past runs, each as it was kept.";
    return "Each run in a process of its own, " + std::to_string(compared.runs.size())
        + (compared.runs.size() == 1 ? " run of each." : " runs of each.");
}

/// A paragraph each.
void writeLines(std::ostream& out, const std::vector<std::string>& lines) {
    for (const std::string& line : lines)
        out << plain(line) << "\n\n";
}

std::string scopeOf(const Report& before, const Report& after) {
    std::vector<std::string> parts;
    if (before.attention.used != after.attention.used)
        parts.push_back("the attention of the mask decoder");
    if (before.kvCache != after.kvCache)
        parts.push_back("what the language model keeps between tokens");
    if (before.precision != after.precision)
        parts.push_back("the precision of weights and activations");
    if (before.patches != after.patches)
        parts.push_back("the size at which the model sees the picture");
    if (parts.empty())
        return "Nothing of the computation changes.";
    std::string text = "Only ";
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text + (parts.size() > 1 ? " change" : " changes")
        + "; weights, prompts and file formats stay as they are.";
}

} // namespace

std::string changeRequestOf(const std::vector<ComparedRuns>& compared) {
    const ComparedRuns &before = compared.front(), &after = compared[1];
    const std::vector<Comparison> comparisons = comparisonsOf(compared);
    const auto change = largestChange(before.first(), after.first());
    const Report *old = reportOf(before.first()), *fresh = reportOf(after.first());
    const bool both = old && fresh;
    std::ostringstream out;
    out << "# Use " << titleOf(after) << " in place of " << titleOf(before) << "\n\n## Problem\n\n"
        << problemText(before, change) << ".\n\n## Change\n\n"
        << changedText(before, after, change) << '.'
        << (both && !isWorthIt(before, after, change)
                   ? " Neither memory nor time speaks for the change at this size."
                   : "")
        << "\n\n## Measurement\n\n"
        << originOf(before) << "\n\n";
    writeLines(out, circumstancesOf(compared));
    writeLines(out, requestsOf(compared));
    if (const std::string command = commandOf(compared); !command.empty())
        writeCode(out, command);
    writeTable(out, figuresOf(compared));
    out << '\n';
    for (const std::string& note : memoryNotesOf(compared))
        out << "- " << plain(note) << '\n';
    for (const std::string& failure : failuresOf(compared))
        out << "- " << plain(failure) << '\n';
    out << "\n## Output comparison\n\n";
    writeOutputs(out, compared, comparisons, PairKind::Wiring,
        "The same computation, which must agree to the bit:");
    writeOutputs(out, compared, comparisons, PairKind::Path,
        "The same mathematics in another order, where rounding may differ:");
    writeOutputs(out, compared, comparisons, PairKind::Input, "Another input:");
    writeOutputs(out, compared, comparisons, PairKind::Unknown, "Without a result:");
    writeLines(out, remarksOf(compared));
    out << "## Scope\n\n";
    out << (both ? scopeOf(*old, *fresh) : "Not known: one of the runs has no result.")
        << "\n\n## Escape hatch\n\nThe settings of " << titleOf(before) << " stay selectable";
    if (both)
        out << escapeHatchOf(*old, *fresh);
    out << ".\n";
    return out.str();
}

} // namespace maskscope
