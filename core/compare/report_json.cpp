// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/report_json.h"

#include "core/base/json_field.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_note.h"
#include "core/engine/event_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const Spread& spread) {
    return {{"median", spread.median}, {"low", spread.low}, {"high", spread.high}};
}

Json timesOf(const ComparedRuns& compared) {
    std::map<Stage, std::vector<double>> times;
    for (const RunRecord& run : compared.runs)
        if (const Report* report = reportOf(run))
            for (const auto& [stage, ms] : report->ms)
                times[stage].push_back(ms);
    Json json = Json::object();
    for (const auto& [stage, values] : times)
        json[std::string(nameOf(stage))] = jsonOf(spreadOf(values));
    return json;
}

/// The extra peaks are the same on every run; a configuration whose are not, says so.
bool samePeaks(const ComparedRuns& compared) {
    const Report* first = reportOf(compared.first());
    return std::ranges::all_of(compared.runs, [&](const RunRecord& run) {
        const Report* report = reportOf(run);
        return report && first && report->extraPeakBytes == first->extraPeakBytes;
    });
}

Json configurationJson(const ComparedRuns& compared) {
    Json json = {{"title", compared.header.title}, {"runs", compared.runs.size()}};
    if (const Report* report = reportOf(compared.first())) {
        Json peaks = Json::object();
        for (const auto& [stage, bytes] : report->extraPeakBytes)
            peaks[std::string(nameOf(stage))] = bytes;
        json["attention_used"] = nameOf(report->attention.used);
        json["predicted_peak_bytes"] = report->predictedPeakBytes;
        json["extra_peak_bytes"] = peaks;
        json["peak_bytes"] = extraPeakOf(compared.first());
        if (const RankPeaks ranks = rankPeaksOf(compared.first()); !ranks.bytes.empty())
            json["ranks"] = {{"peak_bytes", ranks.bytes}, {"sum_of_peaks_bytes", ranks.sum},
                {"staging_bytes", ranks.staging}};
        json["same_peaks_on_every_run"] = samePeaks(compared);
        json["ms"] = timesOf(compared);
        json["time_to_first_token_ms"] = report->timeToFirstTokenMs;
        json["tokens_per_s"] = report->tokensPerSecond;
    }
    for (const RunRecord& run : compared.runs)
        if (const Error* error = errorOf(run)) {
            json["error"] = {{"kind", nameOf(error->kind)}, {"message", error->sentence}};
            break;
        }
    return json;
}

} // namespace

nlohmann::ordered_json resultJson(const RunRecord& run, int repeat) {
    Json json = jsonOf(run.header);
    json["repeat"] = repeat;
    if (!run.events.empty())
        json[errorOf(run) ? "error" : "result"] = jsonOf(run.events.back(), 0);
    return json;
}

nlohmann::ordered_json jsonOf(const Comparison& comparison) {
    Json masks = Json::array();
    for (const MaskPair& pair : comparison.masks)
        masks.push_back(
            {{"index", pair.index}, {"iou", pair.iou}, {"differing_pixels", pair.differingPixels},
                {"largest_logit_difference", orNull(pair.largestDifference)},
                {"largest_logit", orNull(pair.largestLogit)},
                {"largest_logit_where_differing", orNull(pair.largestLogitWhereDiffering)}});
    return {{"kind", nameOf(comparison.kind)}, {"verdict", nameOf(comparison.verdict)},
        {"sentence", comparison.sentence},
        {"first_differing_token", orNull(comparison.firstDifferingToken)},
        {"largest_token_logit_difference", orNull(comparison.largestTokenDifference)},
        {"masks", masks}};
}

nlohmann::ordered_json summaryJson(const std::vector<ComparedRuns>& compared) {
    Json configurations = Json::array(), comparisons = Json::array();
    for (const ComparedRuns& runs : compared)
        configurations.push_back(configurationJson(runs));
    const std::vector<Comparison> results = comparisonsOf(compared);
    for (std::size_t i = 0; i < results.size(); ++i) {
        Json json
            = {{"first", compared.front().header.title}, {"second", compared[i + 1].header.title}};
        json.update(jsonOf(results[i]));
        comparisons.push_back(std::move(json));
    }
    return {{"event", "summary"}, {"configurations", configurations}, {"comparisons", comparisons},
        {"memory", memoryNotesOf(compared)}, {"remarks", remarksOf(compared)}};
}

} // namespace maskscope
