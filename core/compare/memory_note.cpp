// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/memory_note.h"

#include "core/base/bytes.h"
#include "core/base/change_text.h"
#include "core/base/spread.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace maskscope {

namespace {

/// ": 16 x less"; empty where there was nothing.
std::string behind(const char* begin, std::int64_t before, std::int64_t after, const char* end) {
    return before > 0 && after > 0 ? begin + changeText(double(before), double(after)) + end
                                   : std::string();
}

std::string timeNote(const ComparedRuns& first, const ComparedRuns& other) {
    const auto before = medianMsOf(first), after = medianMsOf(other);
    if (!before || !after || *before <= 0 || *after <= 0)
        return {};
    return "; it takes " + timeText(*after) + " where " + first.header.title + " takes "
        + timeText(*before) + " (" + changeText(*before, *after, "faster", "slower") + ")";
}

/// That in which the run's peak lies.
std::optional<Stage> highestStage(const Report& report) {
    const auto highest = std::ranges::max_element(
        report.extraPeakBytes, {}, [](const auto& entry) { return entry.second; });
    return highest == report.extraPeakBytes.end() ? std::nullopt : std::optional(highest->first);
}

std::string memoryNote(const ComparedRuns& first, const ComparedRuns& other) {
    const auto change = largestChange(first.first(), other.first());
    if (!change)
        return other.header.title + " takes the same memory as " + first.header.title
            + " in every stage" + timeNote(first, other) + '.';
    return other.header.title + " takes " + bytesText(change->after, 2) + " in the stage "
        + std::string(nameOf(change->stage)) + " where " + first.header.title + " takes "
        + bytesText(change->before, 2) + behind(": ", change->before, change->after, "") + "; "
        + runPeakText(first.first(), other.first()) + timeNote(first, other) + ".";
}

std::optional<std::int64_t> maskPeakOf(const RunRecord& run) {
    const Report* report = reportOf(run);
    if (!report)
        return std::nullopt;
    const auto found = report->extraPeakBytes.find(Stage::Mask);
    return found == report->extraPeakBytes.end() ? std::nullopt : std::optional(found->second);
}

/// "rank 0 3.00 MiB, rank 1 2.00 MiB"
std::string listed(const RankPeaks& peaks) {
    std::string text;
    for (std::size_t rank = 0; rank < peaks.bytes.size(); ++rank)
        text += (rank == 0 ? "rank " : ", rank ") + std::to_string(rank) + ' '
            + bytesText(peaks.bytes[rank], 2);
    return text;
}

std::string noteOf(const ComparedRuns& ring, const ComparedRuns* single) {
    const RankPeaks peaks = rankPeaksOf(ring.first());
    std::string text = ring.header.title + " holds at most " + listed(peaks) + ", "
        + bytesText(peaks.sum, 2) + " in all, of which " + bytesText(peaks.staging, 2)
        + " is staging: each rank has two buffers of its own for the keys and values that travel,"
          " and scratch of its own, so that one device needs less and all together can need more";
    const auto ofRing = maskPeakOf(ring.first());
    const auto ofSingle = single ? maskPeakOf(single->first()) : std::nullopt;
    if (ofRing && ofSingle)
        text += " (the mask stage " + bytesText(*ofRing, 2) + " over all ranks, and "
            + bytesText(*ofSingle, 2) + " on one device with " + single->header.title + ")";
    return text + '.';
}

/// Why the ranks of a ring together can need more than one device, with the figures of the first
/// run on one device where there is one.
std::vector<std::string> ringNotesOf(const std::vector<ComparedRuns>& compared) {
    const auto isRing
        = [](const ComparedRuns& runs) { return !rankPeaksOf(runs.first()).bytes.empty(); };
    const auto single = std::ranges::find_if(compared,
        [&](const ComparedRuns& runs) { return reportOf(runs.first()) && !isRing(runs); });
    std::vector<std::string> notes;
    for (const ComparedRuns& runs : compared)
        if (isRing(runs))
            notes.push_back(noteOf(runs, single == compared.end() ? nullptr : &*single));
    return notes;
}

} // namespace

std::optional<StageChange> largestChange(const RunRecord& before, const RunRecord& after) {
    const Report *a = reportOf(before), *b = reportOf(after);
    if (!a || !b)
        return std::nullopt;
    std::optional<StageChange> largest;
    const auto size
        = [](const StageChange& change) { return std::abs(change.after - change.before); };
    for (const auto& [stage, bytes] : a->extraPeakBytes)
        if (const auto found = b->extraPeakBytes.find(stage); found != b->extraPeakBytes.end()) {
            const StageChange change{stage, bytes, found->second};
            // The decoding differs by as much as the masks within it, give or take a few tokens.
            const bool isMask = stage == Stage::Mask && largest && largest->stage == Stage::Decode
                && 10 * size(change) >= 9 * size(*largest);
            if (size(change) > 0 && (!largest || isMask || size(change) > size(*largest)))
                largest = change;
        }
    return largest;
}

std::optional<double> medianMsOf(const ComparedRuns& compared) {
    std::vector<double> times;
    for (const RunRecord& run : compared.runs)
        if (reportOf(run))
            times.push_back(run.events.back().tMs);
    return times.empty() ? std::nullopt : std::optional(spreadOf(times).median);
}

std::string runPeakText(const RunRecord& before, const RunRecord& after) {
    const std::int64_t from = extraPeakOf(before), to = extraPeakOf(after);
    if (from <= 0 || to <= 0)
        return "the peak of the whole run was not kept";
    if (const auto stage = highestStage(*reportOf(after));
        stage && std::abs(to - from) * 100 <= from)
        return "the peak of the whole run, " + bytesText(to, 2) + " in the stage "
            + std::string(nameOf(*stage)) + ", stays"
            + (reportOf(before)->attention.used == reportOf(after)->attention.used
                    ? ""
                    : ": a larger picture (pixels=3M) shows what differs better");
    return std::string("the peak of the whole run ") + (to < from ? "falls" : "rises") + " from "
        + bytesText(from, 2) + " to " + bytesText(to, 2) + behind(" (", from, to, ")");
}

std::vector<std::string> memoryNotesOf(const std::vector<ComparedRuns>& compared) {
    std::vector<std::string> notes;
    for (std::size_t i = 1; i < compared.size(); ++i)
        if (reportOf(compared.front().first()) && reportOf(compared[i].first()))
            notes.push_back(memoryNote(compared.front(), compared[i]));
    for (std::string& note : ringNotesOf(compared))
        notes.push_back(std::move(note));
    return notes;
}

RankPeaks rankPeaksOf(const RunRecord& run) {
    RankPeaks peaks;
    const Report* report = reportOf(run);
    if (!report)
        return peaks;
    for (const RankMemory& rank : report->ranks) {
        peaks.bytes.push_back(rank.peakBytes);
        peaks.sum += rank.peakBytes;
    }
    for (const auto& [rank, samples] : rankMemoryOf(run))
        peaks.staging += std::ranges::max(samples, {}, &RankSample::staging).staging;
    return peaks;
}

} // namespace maskscope
