// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/figures_table.h"

#include "core/base/bytes.h"
#include "core/base/change_text.h"
#include "core/base/number_text.h"
#include "core/compare/memory_note.h"
#include "core/engine/size_remark.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>

namespace maskscope {

namespace {

constexpr const char* kNone = "N/A";

std::string spreadText(const Spread& spread, const char* unit) {
    constexpr double kSecond = 1000;
    if (unit == std::string_view(" ms") && spread.median >= kSecond)
        return spreadText(
            {spread.median / kSecond, spread.low / kSecond, spread.high / kSecond}, " s");
    const char* format = spread.median < 1 ? "%.3f" : spread.median < 100 ? "%.1f" : "%.0f";
    std::string text = numberText(format, spread.median) + unit;
    if (spread.low != spread.high)
        text += " (" + numberText(format, spread.low) + " to " + numberText(format, spread.high)
            + ")";
    return text;
}

using ReportText = std::function<std::string(const Report&)>;
using ReportNumber = std::function<std::optional<double>(const Report&)>;
using RunBytes = std::function<std::optional<std::int64_t>(const RunRecord&)>;

template <class Value>
std::optional<Value> valueIn(const std::map<Stage, Value>& values, Stage stage) {
    const auto found = values.find(stage);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

class Table {
public:
    explicit Table(const std::vector<ComparedRuns>& compared)
        : m_compared(compared) {
        for (const ComparedRuns& runs : compared)
            m_table.columns.push_back(runs.header.title);
    }

    void text(const std::string& name, const ReportText& of) {
        add(name, [&](const ComparedRuns& runs) {
            const Report* report = reportOf(runs.first());
            return report ? of(*report) : std::string(kNone);
        });
    }

    /// Median and range over the repeats.
    void timing(const std::string& name, const char* unit, const ReportNumber& of) {
        add(name, [&](const ComparedRuns& runs) {
            std::vector<double> values;
            for (const RunRecord& run : runs.runs)
                if (const Report* report = reportOf(run))
                    if (const auto value = of(*report))
                        values.push_back(*value);
            return values.empty() ? std::string(kNone) : spreadText(spreadOf(values), unit);
        });
    }

    /// With its ratio to the first column's.
    void bytes(const std::string& name, const RunBytes& of) {
        const auto base = of(m_compared.front().first());
        add(name, [&](const ComparedRuns& runs) {
            const auto value = of(runs.first());
            if (!value)
                return std::string(kNone);
            std::string cell = bytesText(*value, 2);
            if (base && *base > 0 && *value > 0 && value != base)
                cell += " (" + changeText(double(*base), double(*value)) + ')';
            return cell;
        });
    }

    /// Of the rows that follow.
    void begin(const std::string& group) { m_group = group; }

    void emphasise(const std::string& name) {
        for (FiguresTable::Row& row : m_table.rows)
            row.outstanding = row.outstanding || row.name == name;
    }

    FiguresTable take() { return std::move(m_table); }

private:
    template <class Cell>
    void add(const std::string& name, const Cell& cell) {
        FiguresTable::Row row{name, {}, false, m_group};
        for (const ComparedRuns& runs : m_compared)
            row.cells.push_back(cell(runs));
        if (std::ranges::any_of(row.cells, [](const auto& text) { return text != kNone; }))
            m_table.rows.push_back(std::move(row));
    }

    const std::vector<ComparedRuns>& m_compared;
    FiguresTable m_table;
    std::string m_group;
};

RunBytes ofReport(const std::function<std::optional<std::int64_t>(const Report&)>& of) {
    return [of](const RunRecord& run) {
        const Report* report = reportOf(run);
        return report ? of(*report) : std::nullopt;
    };
}

std::optional<std::int64_t> peakOf(const RunRecord& run) {
    const std::int64_t peak = extraPeakOf(run);
    return peak > 0 ? std::optional(peak) : std::nullopt;
}

std::optional<std::int64_t> processPeakOf(const RunRecord& run) {
    std::optional<std::int64_t> peak;
    for (const MemorySample& sample : memoryOf(run))
        peak = std::max(peak, sample.process); // an absent figure is below all others
    return peak;
}

/// Nothing is shown of them where no configuration is a ring.
void addRanks(Table& table, const std::vector<ComparedRuns>& compared) {
    std::size_t most = 0;
    for (const ComparedRuns& runs : compared)
        most = std::max(most, rankPeaksOf(runs.first()).bytes.size());
    for (std::size_t rank = 0; rank < most; ++rank)
        table.text("peak of rank " + std::to_string(rank), [=](const Report& report) {
            return rank < report.ranks.size() ? bytesText(report.ranks[rank].peakBytes, 2) : kNone;
        });
    const auto ofRanks = [](std::int64_t RankPeaks::*figure) {
        return [=](const RunRecord& run) {
            const RankPeaks peaks = rankPeaksOf(run);
            return peaks.bytes.empty() ? std::nullopt : std::optional(peaks.*figure);
        };
    };
    table.bytes("sum of the ranks' peaks", ofRanks(&RankPeaks::sum));
    table.bytes("staging of all ranks", ofRanks(&RankPeaks::staging));
}

/// The masks are made while the answer is decoded.
std::string titleOf(Stage stage) {
    return std::string(nameOf(stage)) + (stage == Stage::Decode ? " with its masks" : "");
}

} // namespace

FiguresTable figuresOf(const std::vector<ComparedRuns>& compared) {
    Table table(compared);
    table.begin("how it ran");
    table.text("attention used", [](const Report& report) {
        const AttentionReport& attention = report.attention;
        return std::string(nameOf(attention.used))
            + (attention.reason.empty() ? "" : " (" + attention.reason + ")");
    });
    table.text("KV cache", [](const Report& r) { return std::string(nameOf(r.kvCache)); });
    table.text("precision", [](const Report& r) { return std::string(nameOf(r.precision)); });
    table.text("patches", [](const Report& r) { return std::to_string(r.patches); });
    table.begin("whole run");
    table.bytes("peak of the run", peakOf);
    table.bytes("predicted peak of the run",
        ofReport([](const Report& report) { return std::optional(report.predictedPeakBytes); }));
    table.bytes("highest process memory", processPeakOf);
    for (const Stage stage :
        {Stage::Image, Stage::Vision, Stage::Prefill, Stage::Decode, Stage::Mask}) {
        const std::string name = titleOf(stage);
        table.begin(name);
        table.bytes("extra peak, " + name,
            ofReport([=](const Report& r) { return valueIn(r.extraPeakBytes, stage); }));
        table.bytes("predicted, " + name,
            ofReport([=](const Report& r) { return valueIn(r.predictedExtraPeakBytes, stage); }));
        table.timing("time, " + name, " ms",
            [=](const Report& report) { return valueIn(report.ms, stage); });
    }
    table.begin("ranks");
    addRanks(table, compared);
    table.begin("answer");
    table.timing("time to first token", " ms", [](const Report& report) {
        return report.tokens.empty() ? std::nullopt : std::optional(report.timeToFirstTokenMs);
    });
    table.timing("tokens per second", "", [](const Report& report) {
        return report.tokens.empty() ? std::nullopt : std::optional(report.tokensPerSecond);
    });
    table.text("tokens", [](const Report& r) { return std::to_string(r.tokens.size()); });
    table.text("masks", [](const Report& r) { return std::to_string(r.masks.size()); });
    if (compared.size() > 1)
        if (const auto change = largestChange(compared[0].first(), compared[1].first()))
            table.emphasise("extra peak, " + titleOf(change->stage));
    return table.take();
}

std::vector<std::string> failuresOf(const std::vector<ComparedRuns>& compared) {
    std::vector<std::string> sentences;
    for (const ComparedRuns& runs : compared)
        for (const RunRecord& run : runs.runs)
            if (const Error* error = errorOf(run)) {
                sentences.push_back(runs.header.title + ": " + error->sentence);
                break;
            }
    return sentences;
}

namespace {

std::string circumstances(const ComparedRuns& compared) {
    const RunHeader& header = compared.first().header;
    const RunMachine& machine = header.machine;
    if (machine.torchVersion.empty()) // its process ended before it could tell
        return "Not known: the run ended too early";
    std::string text = machine.processor.empty() ? header.device : machine.processor;
    if (!machine.capability.empty())
        text += " with " + machine.capability;
    text += ", " + std::to_string(machine.threads)
        + (machine.threads == 1 ? " thread, device " : " threads, device ") + header.device
        + ", LibTorch " + machine.torchVersion + ", Maskscope " + header.programVersion + "; model "
        + header.modelName + "; picture "
        + std::filesystem::path(header.image.path).filename().string() + ", "
        + std::to_string(header.image.width) + " x " + std::to_string(header.image.height);
    if (const Report* report = reportOf(compared.first()))
        text += "; seed " + std::to_string(report->seed);
    if (compared.origin == RunOrigin::Past)
        text += "; " + header.started;
    return text;
}

/// `of` each, once where all have the same.
template <class Of>
std::vector<std::string> together(const std::vector<ComparedRuns>& compared, const Of& of) {
    std::vector<std::string> lines;
    lines.reserve(compared.size());
    for (const ComparedRuns& runs : compared)
        lines.push_back(of(runs));
    if (std::ranges::all_of(lines, [&](const std::string& line) { return line == lines.front(); }))
        return {lines.front()};
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].insert(0, compared[i].header.title + ": ");
    return lines;
}

} // namespace

std::vector<std::string> circumstancesOf(const std::vector<ComparedRuns>& compared) {
    return together(compared, circumstances);
}

std::vector<std::string> requestsOf(const std::vector<ComparedRuns>& compared) {
    std::vector<std::string> requests
        = together(compared, [](const ComparedRuns& runs) { return runs.header.text; });
    if (requests == std::vector<std::string>{""})
        return {};
    for (std::string& request : requests)
        request.insert(0, "Request: ");
    return requests;
}

std::vector<std::string> remarksOf(const std::vector<ComparedRuns>& compared) {
    std::vector<std::string> remarks;
    for (const ComparedRuns& runs : compared)
        if (const Report* report = reportOf(runs.first())) {
            std::string remark = sizeRemark(report->patches, runs.first().header.trainingPixels);
            if (!remark.empty() && std::ranges::find(remarks, remark) == remarks.end())
                remarks.push_back(std::move(remark));
        }
    return remarks;
}

} // namespace maskscope
