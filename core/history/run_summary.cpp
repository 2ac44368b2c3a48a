// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_summary.h"

#include "core/base/named.h"

#include <algorithm>

namespace maskscope {

namespace {

constexpr NameTable<RunOutcome, 4> kOutcomes{{
    {RunOutcome::Finished, "finished"},
    {RunOutcome::Cancelled, "cancelled"},
    {RunOutcome::Failed, "failed"},
    {RunOutcome::Unfinished, "unfinished"},
}};

void addReport(const Report& report, RunSummary& summary) {
    summary.outcome
        = report.outcome == Outcome::Cancelled ? RunOutcome::Cancelled : RunOutcome::Finished;
    summary.attention = nameOf(report.attention.used);
    summary.kvCache = nameOf(report.kvCache);
    summary.precision = nameOf(report.precision);
    summary.device = report.device;
    if (report.patches > 0)
        summary.patches = report.patches;
    const auto mask = report.extraPeakBytes.find(Stage::Mask);
    if (mask != report.extraPeakBytes.end())
        summary.maskPeakBytes = mask->second;
    if (!report.tokens.empty())
        summary.tokensPerSecond = report.tokensPerSecond;
}

std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
    return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

} // namespace

std::string_view nameOf(RunOutcome outcome) {
    return nameIn(kOutcomes, outcome);
}

std::optional<RunOutcome> runOutcomeFrom(std::string_view name) {
    return valueIn(kOutcomes, name);
}

RunSummary summaryOf(const RunRecord& record) {
    const RunHeader& header = record.header;
    RunSummary summary;
    summary.started = header.started;
    summary.title = header.title;
    summary.model = header.modelName;
    summary.device = header.device;
    summary.processor = header.machine.processor;
    summary.request = header.text;
    summary.points = static_cast<std::int64_t>(header.points.size());
    summary.boxes = static_cast<std::int64_t>(header.boxes.size());
    summary.imagePath = header.image.path;
    summary.imageDigest = header.image.digest;
    summary.attention = nameOf(header.settings.attention);
    summary.kvCache = nameOf(header.settings.kvCache);
    summary.precision = nameOf(header.settings.precision);
    for (const Event& event : record.events)
        summary.totalMs = std::max(summary.totalMs, event.tMs);
    if (!memoryOf(record).empty())
        summary.extraPeakBytes = extraPeakOf(record);
    if (const Report* report = reportOf(record)) {
        addReport(*report, summary);
    } else if (const Error* error = errorOf(record)) {
        summary.outcome = RunOutcome::Failed;
        summary.error = error->sentence;
    }
    return summary;
}

std::string requestText(const RunSummary& summary) {
    std::string text = summary.request.empty() ? "" : "“" + summary.request + "”";
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (summary.points > 0)
        add(counted(summary.points, "point", "points"));
    if (summary.boxes > 0)
        add(counted(summary.boxes, "box", "boxes"));
    return text;
}

} // namespace maskscope
