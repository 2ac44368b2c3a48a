// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/rank_sampler.h"

#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

using Clock = std::chrono::steady_clock;

std::int64_t stagingOf(const CurvePoint& point) {
    return point.byCategory[static_cast<std::size_t>(MemoryCategory::RingStaging)];
}

} // namespace

RankSampler::RankSampler(const std::vector<Rank>& ranks, Callback callback, Clock::time_point start)
    : m_callback(std::move(callback))
    , m_start(start) {
    const Clock::time_point now = Clock::now();
    const double tMs
        = std::max(0.0, std::chrono::duration<double, std::milli>(now - start).count());
    for (const Rank& rank : ranks) {
        AllocationCurve& curve = rank.account.curve();
        curve.take(now + std::chrono::milliseconds(1)); // what was before
        m_lanes.push_back({rank, curve.level(now), {tMs, rank.number}});
        m_callback(m_lanes.back().last);
    }
    m_beat.emplace([this] { tell(); });
}

RankSampler::~RankSampler() {
    if (m_beat && !m_beat->isStopped())
        m_beat->stop();
}

void RankSampler::tell() {
    const Clock::time_point now = std::chrono::floor<std::chrono::milliseconds>(Clock::now());
    for (Lane& lane : m_lanes) {
        AllocationCurve& curve = lane.rank.account.curve();
        for (const CurvePoint& point : curve.take(now))
            tell(lane, point);
    }
}

void RankSampler::tell(Lane& lane, const CurvePoint& point) {
    RankSample sample{std::chrono::duration<double, std::milli>(point.time - m_start).count(),
        lane.rank.number, point.live - lane.before.live, stagingOf(point) - stagingOf(lane.before)};
    if (sample.live == lane.last.live && sample.staging == lane.last.staging)
        return;
    sample.tMs = std::max(sample.tMs, lane.last.tMs);
    lane.last = sample;
    m_callback(sample);
}

} // namespace maskscope
