// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_series.h"

#include "ui/graph_axis.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>

namespace maskscope {

namespace {

constexpr std::size_t kMostSamples = 8'192; // of a rank

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RankSheet)
};

} // namespace

const RankSample* RankSeries::Lane::at(double tMs) const {
    const auto& samples = curve.samples();
    const auto after = std::ranges::upper_bound(
        samples, tMs, {}, [](const auto& arrived) { return arrived.sample.tMs; });
    return after == samples.begin() ? nullptr : &std::prev(after)->sample;
}

void RankSeries::add(const RankSample& sample) {
    Lane& lane = m_lanes[sample.rank];
    lane.curve.add({0, sample.tMs, sample}, kMostSamples);
    lane.peak = std::max(lane.peak, sample.live);
    lane.stagingPeak = std::max(lane.stagingPeak, sample.staging);
}

std::int64_t RankSeries::highestPeak() const {
    std::int64_t highest = 0;
    for (const auto& [rank, lane] : m_lanes)
        highest = std::max(highest, lane.peak);
    return highest;
}

std::int64_t RankSeries::liveAt(std::optional<double> tMs) const {
    std::int64_t live = 0;
    for (const auto& [rank, lane] : m_lanes)
        if (const RankSample* sample = tMs ? lane.at(*tMs) : &lane.curve.samples().back().sample)
            live += sample->live;
    return live;
}

FigureSheet rankSheet(const RankSeries& ranks) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Rank")},
        {Text::tr("Peak"),
            Text::tr("The most that this rank alone held; the ranks' peaks need not be at the same "
                     "moment")},
        {Text::tr("Staging"),
            Text::tr("Buffers for the keys and values that travel: two pairs in each rank, which "
                     "one device does not need")}};
    std::int64_t peaks = 0, staging = 0;
    for (const auto& [rank, lane] : ranks.lanes()) {
        sheet.rows.push_back(
            {{QString::number(rank), sizeText(lane.peak), sizeText(lane.stagingPeak)}});
        peaks += lane.peak;
        staging += lane.stagingPeak;
    }
    sheet.rows.push_back({{Text::tr("sum"), sizeText(peaks), sizeText(staging)}});
    return sheet;
}

} // namespace maskscope
