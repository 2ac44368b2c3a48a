// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_record.h"

#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/engine/event_json.h"
#include "core/engine/event_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

std::string_view takeLine(std::string_view& lines) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    return line;
}

} // namespace

const Report* reportOf(const RunRecord& record) {
    for (const Event& event : record.events)
        if (const auto* done = std::get_if<Done>(&event.payload))
            return done->report.get();
    return nullptr;
}

const Error* errorOf(const RunRecord& record) {
    for (const Event& event : record.events)
        if (const auto* failed = std::get_if<Failed>(&event.payload))
            return &failed->error;
    return nullptr;
}

std::vector<StageSpan> stagesOf(const RunRecord& record) {
    std::vector<StageSpan> spans;
    for (const Event& event : record.events)
        if (const auto* ended = std::get_if<StageEnded>(&event.payload))
            spans.push_back(
                {ended->stage, event.tMs - ended->ms, event.tMs, ended->extraPeakBytes});
    return spans;
}

std::vector<MemorySample> memoryOf(const RunRecord& record) {
    std::vector<MemorySample> samples;
    for (const Event& event : record.events)
        if (const auto* measured = std::get_if<MemoryMeasured>(&event.payload))
            samples.push_back(measured->sample);
    std::ranges::stable_sort(samples, {}, &MemorySample::tMs);
    return samples;
}

std::map<int, std::vector<RankSample>> rankMemoryOf(const RunRecord& record) {
    std::map<int, std::vector<RankSample>> ranks;
    for (const Event& event : record.events)
        if (const auto* measured = std::get_if<RankMeasured>(&event.payload))
            ranks[measured->sample.rank].push_back(measured->sample);
    for (auto& [rank, samples] : ranks)
        std::ranges::stable_sort(samples, {}, &RankSample::tMs);
    return ranks;
}

std::vector<double> tokenTimesOf(const RunRecord& record) {
    std::vector<double> times;
    for (const Event& event : record.events)
        if (std::holds_alternative<TokenProduced>(event.payload))
            times.push_back(event.tMs);
    return times;
}

std::int64_t extraPeakOf(const RunRecord& record) {
    const std::vector<MemorySample> samples = memoryOf(record);
    if (samples.empty())
        return 0;
    const auto highest = std::ranges::max_element(samples, {}, &MemorySample::live);
    return highest->live - samples.front().live;
}

std::string linesOf(const RunRecord& record) {
    std::string lines = lineOf(jsonOf(record.header)) + '\n';
    for (const Event& event : record.events)
        if (const auto json = jsonOf(event, 0); !json.is_null())
            lines += lineOf(json) + '\n';
    return lines;
}

RunRecord runRecordFrom(std::string_view lines, std::string_view what) {
    const std::string where = std::string(what) + ", line 1";
    RunRecord record;
    try {
        record.header = runHeaderFrom(parseStrictJson(takeLine(lines), where), where);
    } catch (const Failure& failure) {
        throw Failure(ErrorKind::Input, failure.error().sentence);
    }
    EventReader reader(std::string(what), 2);
    while (!lines.empty())
        if (auto event = reader.read(takeLine(lines)))
            record.events.push_back(std::move(*event));
    return record;
}

} // namespace maskscope
