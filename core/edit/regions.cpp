// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/regions.h"

#include "core/edit/boolean.h"
#include "core/edit/run_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace maskscope {
namespace {

enum class Touch { Sides, SidesAndCorners };

/// Runs in reading order, with those that touch from row to row joined (union-find).
class Regions {
public:
    Regions(std::vector<Run> runs, Touch touch)
        : m_runs(std::move(runs))
        , m_first(m_runs.size())
        , m_areas(m_runs.size()) {
        std::iota(m_first.begin(), m_first.end(), std::size_t{0});
        join(touch == Touch::Sides ? 0 : 1);
        for (std::size_t i = 0; i < m_runs.size(); ++i)
            m_areas[firstOf(i)] += m_runs[i].to - m_runs[i].from;
    }

    const std::vector<Run>& runs() const { return m_runs; }
    /// The first run, in reading order, of the region that run i belongs to: the region's name.
    std::size_t firstOf(std::size_t i) {
        while (m_first[i] != i)
            i = m_first[i] = m_first[m_first[i]];
        return i;
    }
    bool isFirst(std::size_t i) const { return m_first[i] == i; }
    std::int64_t areaOf(std::size_t i) { return m_areas[firstOf(i)]; }
    std::size_t largest() const {
        return static_cast<std::size_t>(
            std::max_element(m_areas.begin(), m_areas.end()) - m_areas.begin());
    }

private:
    /// `above` follows behind i through the row before: both only ever move on.
    void join(int reach) {
        for (std::size_t i = 0, above = 0; i < m_runs.size(); ++i) {
            const Run& run = m_runs[i];
            const auto isBefore = [&](const Run& other) {
                return other.y < run.y - 1
                    || (other.y == run.y - 1 && other.to + reach <= run.from);
            };
            while (above < i && isBefore(m_runs[above]))
                ++above;
            for (std::size_t k = above;
                 k < i && m_runs[k].y == run.y - 1 && m_runs[k].from < run.to + reach; ++k)
                unite(k, i);
        }
    }

    void unite(std::size_t a, std::size_t b) {
        const auto [earlier, later] = std::minmax({firstOf(a), firstOf(b)});
        m_first[later] = earlier;
    }

    std::vector<Run> m_runs;
    std::vector<std::size_t> m_first; ///< an earlier run of the same region, or itself
    std::vector<std::int64_t> m_areas; ///< at each region's first run
};

/// What lies between and beside a mask's runs, within its box.
std::vector<Run> gapsOf(const MaskRuns& mask) {
    std::vector<Run> gaps;
    const auto [left, top, width, height] = mask.bbox;
    for (int y = top; y < top + height; ++y) {
        int from = left;
        const auto edges = mask.row(y);
        for (std::size_t i = 0; i < edges.size(); i += 2) {
            if (edges[i] > from)
                gaps.push_back({y, from, edges[i]});
            from = edges[i + 1];
        }
        if (from < left + width)
            gaps.push_back({y, from, left + width});
    }
    return gaps;
}

struct Holes {
    Regions gaps;
    std::vector<bool> open; ///< by a region's first run: a way leads out of the mask's box
};

Holes holesOf(const MaskRuns& mask) {
    Holes holes{Regions(gapsOf(mask), Touch::Sides), {}};
    const auto& runs = holes.gaps.runs();
    const auto [left, top, width, height] = mask.bbox;
    holes.open.resize(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].from == left || runs[i].to == left + width || runs[i].y == top
            || runs[i].y == top + height - 1)
            holes.open[holes.gaps.firstOf(i)] = true;
    return holes;
}

template <class Keep>
MaskRuns keepRuns(const Regions& regions, Keep keep) {
    RunBuilder builder;
    for (std::size_t i = 0; i < regions.runs().size(); ++i)
        if (keep(i))
            builder.add(regions.runs()[i]);
    return builder.take();
}

} // namespace

int countParts(const MaskRuns& mask) {
    const Regions parts(listOf(mask), Touch::SidesAndCorners);
    int count = 0;
    for (std::size_t i = 0; i < parts.runs().size(); ++i)
        count += parts.isFirst(i) ? 1 : 0;
    return count;
}

int countHoles(const MaskRuns& mask) {
    const Holes holes = holesOf(mask);
    int count = 0;
    for (std::size_t i = 0; i < holes.open.size(); ++i)
        count += holes.gaps.isFirst(i) && !holes.open[i] ? 1 : 0;
    return count;
}

MaskRuns fillHoles(const MaskRuns& mask, std::int64_t largest) {
    Holes holes = holesOf(mask);
    return unite(mask, keepRuns(holes.gaps, [&](std::size_t i) {
        return !holes.open[holes.gaps.firstOf(i)] && holes.gaps.areaOf(i) <= largest;
    }));
}

MaskRuns removeIslands(const MaskRuns& mask, std::int64_t smallest) {
    Regions parts(listOf(mask), Touch::SidesAndCorners);
    return keepRuns(parts, [&](std::size_t i) { return parts.areaOf(i) >= smallest; });
}

MaskRuns keepLargest(const MaskRuns& mask) {
    Regions parts(listOf(mask), Touch::SidesAndCorners);
    const std::size_t largest = parts.largest();
    return keepRuns(parts, [&](std::size_t i) { return parts.firstOf(i) == largest; });
}

} // namespace maskscope
