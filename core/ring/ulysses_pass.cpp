// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ulysses_pass.h"

#include <optional>
#include <vector>

namespace maskscope {

namespace {

using Step = std::optional<std::int64_t>;

struct Pieces {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
};

/// What one step goes in with, and what another one gives back, for all places.
Pieces piecesOf(int rank, const RankGrid& grid, UlyssesWork& work, Step in, Step back) {
    const int group = grid.groupOf(rank), me = grid.placeOf(rank);
    Pieces pieces;
    for (int away = 1; away < grid.ulysses; ++away) { // so that not all begin with the same one
        const int to = (me + away) % grid.ulysses;
        const int from = (me - away + grid.ulysses) % grid.ulysses;
        if (in) {
            pieces.outgoing.push_back({grid.rankAt(group, to), work.ownFor(*in, to)});
            pieces.incoming.push_back({grid.rankAt(group, from), work.inFrom(*in, from)});
        }
        if (back) {
            pieces.outgoing.push_back({grid.rankAt(group, to), work.mixedFor(*back, to)});
            pieces.incoming.push_back({grid.rankAt(group, from), work.backFrom(*back, from)});
        }
    }
    return pieces;
}

} // namespace

void ulyssesPass(
    int rank, const RankGrid& grid, std::int64_t steps, Transport& transport, UlyssesWork& work) {
    work.writeOwn(0);
    for (std::int64_t step = -1; step <= steps; ++step) {
        const Step next = step + 1 < steps ? Step(step + 1) : std::nullopt;
        const Step last = step > 0 ? Step(step - 1) : std::nullopt;
        if (next && *next > 0)
            work.writeOwn(*next);
        const Pieces pieces = piecesOf(rank, grid, work, next, last);
        Exchange exchange(transport, pieces.outgoing, pieces.incoming);
        if (step >= 0 && step < steps)
            work.attend(step);
        exchange.finish();
        if (last)
            work.keep(*last);
    }
}

} // namespace maskscope
