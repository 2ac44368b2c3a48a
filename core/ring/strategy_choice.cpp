// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/strategy_choice.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace maskscope {

namespace {

/// One rank's clock, in a layer that all ranks go through in step.
class RankClock {
public:
    RankClock(const LinkFigures& link, double transferShare)
        : m_link(link)
        , m_transferShare(transferShare) { }

    struct Transfer {
        double due = 0;
    };
    Transfer begin(double bytes) {
        m_sent += bytes;
        m_owed += m_transferShare * bytes * m_link.processorNsPerByte / 1e6;
        const double latency = m_link.transferMs(0);
        m_linkFree = std::max(m_now, m_linkFree) + m_link.transferMs(bytes) - latency;
        return {m_linkFree + latency};
    }
    void finish(const Transfer& transfer) {
        if (transfer.due > m_now) {
            m_exposed += transfer.due - m_now;
            m_now = transfer.due;
            m_owed = 0; // done while it waited
        }
    }
    void compute(double ms) {
        m_now += ms + m_owed;
        m_owed = 0;
    }

    StrategyForecast forecast(const RankGrid& grid) const {
        return {grid, m_now, m_exposed, m_sent};
    }

private:
    LinkFigures m_link;
    double m_transferShare;
    double m_now = 0;
    double m_linkFree = 0;
    double m_owed = 0; ///< processor time of transfers, not yet spent
    double m_exposed = 0;
    double m_sent = 0;
};

} // namespace

StrategyForecast forecastOf(const LayerWork& layer, const GridWork& work, const LinkFigures& link) {
    const auto [u, r] = work.grid;
    const int G = work.groups;
    // What a rank has of one of queries, keys, values or results, in one group of heads.
    const double groupBytes
        = static_cast<double>(layer.patches * layer.heads * layer.headDim * layer.elementBytes)
        / work.grid.ranks() / G;
    const double leaves = static_cast<double>(u - 1) / u; // all but its own part of the heads
    RankClock clock(link, work.transferShare);
    const auto bringIn = [&] { return clock.begin(u > 1 ? 3 * groupBytes * leaves : 0); };
    RankClock::Transfer in, out;
    if (u > 1)
        in = bringIn();
    for (int group = 0; group < G; ++group) {
        clock.finish(in);
        if (u > 1 && group + 1 < G)
            in = bringIn();
        for (int hop = 0; hop < r; ++hop) {
            RankClock::Transfer next;
            if (hop + 1 < r)
                next = clock.begin(2 * groupBytes);
            clock.compute(work.ms / G / r);
            clock.finish(next);
        }
        if (u > 1)
            out = clock.begin(groupBytes * leaves);
    }
    clock.finish(out);
    return clock.forecast(work.grid);
}

const StrategyForecast& leastOf(std::span<const StrategyForecast> forecasts) {
    return *std::ranges::min_element(forecasts, {}, &StrategyForecast::ms);
}

std::string nameOf(const RankGrid& grid) {
    if (grid.ranks() == 1)
        return "single device";
    const std::string ulysses = "Ulysses " + std::to_string(grid.ulysses);
    const std::string ring = "ring " + std::to_string(grid.ring);
    return grid.ulysses == 1 ? ring : grid.ring == 1 ? ulysses : ulysses + " x " + ring;
}

std::vector<RankGrid> gridsOf(int ranks, std::int64_t heads) {
    std::vector<RankGrid> grids{{1, 1}};
    for (int ulysses = 1; ulysses <= ranks && ranks > 1; ++ulysses)
        if (ranks % ulysses == 0 && heads % ulysses == 0)
            grids.push_back({ulysses, ranks / ulysses});
    return grids;
}

std::string sentenceOf(std::vector<StrategyForecast> forecasts) {
    std::ranges::stable_sort(forecasts, {}, &StrategyForecast::ms);
    std::string sentence;
    for (const StrategyForecast& forecast : forecasts) {
        std::array<char, 80> figures{};
        std::snprintf(figures.data(), figures.size(), ": %.1f ms, %.1f exposed", forecast.ms,
            forecast.exposedMs);
        sentence += (sentence.empty() ? "" : "; ") + nameOf(forecast.grid) + figures.data();
    }
    return sentence;
}

} // namespace maskscope
