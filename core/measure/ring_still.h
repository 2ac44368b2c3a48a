// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/ring.h"
#include "core/ring/transport.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace maskscope {

/// Carries nothing and takes no time: what is left is what a rank computes. Each place that it
/// would receive into gets numbers once, of what the rank itself sends, so that they are ordinary
/// ones.
class StillTransport final : public Transport {
    Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        for (const Incoming& piece : incoming)
            if (!piece.bytes.empty() && !outgoing.empty()
                && m_filled.emplace(piece.bytes.data(), piece.bytes.size()).second) {
                const auto from = outgoing.front().bytes;
                std::fill(piece.bytes.begin(), piece.bytes.end(), std::byte{0});
                std::copy_n(
                    from.begin(), std::min(from.size(), piece.bytes.size()), piece.bytes.begin());
            }
        return 0;
    }
    void finish(Ticket) override { }
    void abandon(Ticket) noexcept override { }

    std::set<std::pair<std::byte*, std::size_t>> m_filled;
};

/// Ranks without links between them.
class StillRanks {
public:
    explicit StillRanks(int ranks) {
        const auto monitor = std::make_shared<JobMonitor>(ranks);
        for (int index = 0; index < ranks; ++index) {
            m_transports.push_back(std::make_unique<StillTransport>());
            m_ranks.push_back(std::make_unique<RingRank>(index, monitor, *m_transports.back()));
        }
    }

    RingRank& rank(int index) { return *m_ranks[static_cast<std::size_t>(index)]; }

private:
    std::vector<std::unique_ptr<StillTransport>> m_transports;
    std::vector<std::unique_ptr<RingRank>> m_ranks;
};

} // namespace maskscope
