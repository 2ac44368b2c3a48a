// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/strategy_choice.h"

#include <algorithm>

namespace maskscope {

namespace {

/// One rank's clock, in a layer that all ranks go through in step.
class RankClock {
public:
    explicit RankClock(const LinkFigures& link)
        : m_link(link) { }

    /// Transfers that are waited for together: `due` is when the last has arrived.
    struct Transfer {
        double due = 0;
    };
    Transfer begin(double bytes, int messages) {
        m_sent += bytes;
        m_linkFree = std::max(m_now, m_linkFree) + messages * m_link.transferMs(0)
            + m_link.transferMs(bytes) - m_link.transferMs(0);
        return {m_linkFree};
    }
    void finish(const Transfer& transfer) {
        if (transfer.due > m_now) {
            m_exposed += transfer.due - m_now;
            m_now = transfer.due;
        }
    }
    void compute(double ms) { m_now += ms; }

    StrategyForecast forecast(const RankGrid& grid) const {
        return {grid, m_now, m_exposed, m_sent};
    }

private:
    LinkFigures m_link;
    double m_now = 0;
    double m_linkFree = 0;
    double m_exposed = 0;
    double m_sent = 0;
};

} // namespace

StrategyForecast forecastOf(const LayerWork& layer, const GridWork& work, const LinkFigures& link) {
    const auto u = work.grid.ulysses, r = work.grid.ring, G = work.groups;
    // What a rank has of one of queries, keys, values or results, in one group of heads.
    const double groupBytes
        = static_cast<double>(layer.patches * layer.heads * layer.headDim * layer.elementBytes)
        / work.grid.ranks() / G;
    const double leaves = groupBytes * (u - 1) / u; // all but its own part of the heads
    RankClock clock(link);
    const auto exchange = [&](bool in, bool back) {
        const int pieces = (in ? 3 : 0) + (back ? 1 : 0);
        return u > 1 && pieces > 0 ? clock.begin(pieces * leaves, (u - 1) * (int(in) + int(back)))
                                   : RankClock::Transfer{};
    };
    clock.finish(exchange(true, false));
    for (int group = 0; group < G; ++group) {
        const auto meanwhile = exchange(group + 1 < G, group > 0);
        for (int hop = 0; hop < r; ++hop) {
            const auto next = hop + 1 < r ? clock.begin(2 * groupBytes, 1) : RankClock::Transfer{};
            clock.compute(work.ms / G / r);
            clock.finish(next);
        }
        clock.finish(meanwhile);
    }
    clock.finish(exchange(false, true));
    return clock.forecast(work.grid);
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

} // namespace maskscope
