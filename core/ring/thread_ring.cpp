// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/thread_ring.h"

#include "core/base/error.h"

#include <algorithm>
#include <list>
#include <optional>
#include <string>
#include <utility>

namespace maskscope {

namespace {

/// One half of a transfer, of the rank that began it.
template <class Bytes>
struct Half {
    Bytes bytes;
    int peer = 0;
    std::uint64_t number = 0; ///< of those with this peer in this direction
    std::uint64_t ticket = 0;
    bool copying = false;
};

template <class Bytes>
bool anyOf(const std::list<Half<Bytes>>& halves, std::uint64_t ticket) {
    return std::any_of(halves.begin(), halves.end(),
        [&](const Half<Bytes>& half) { return half.ticket == ticket; });
}

} // namespace

class ThreadRing::Seat final : public Transport {
public:
    Seat(JobMonitor& monitor, int rank)
        : m_monitor(monitor)
        , m_rank(rank)
        , m_sent(static_cast<std::size_t>(monitor.ranks()))
        , m_received(m_sent.size()) { }

private:
    friend class ThreadRing;

    Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        ++m_ticket;
        m_monitor.change([&] {
            for (const Outgoing& piece : outgoing)
                m_outgoing.push_back({piece.bytes, piece.to, numberOf(m_sent, piece.to), m_ticket});
            for (const Incoming& piece : incoming)
                m_incoming.push_back(
                    {piece.bytes, piece.from, numberOf(m_received, piece.from), m_ticket});
        });
        return m_ticket;
    }

    void finish(Ticket ticket) override {
        m_monitor.await(m_rank, [&] { return isOver(ticket); });
    }

    void abandon(Ticket ticket) noexcept override {
        m_monitor.change([&] {
            const auto waits
                = [&](const auto& half) { return half.ticket == ticket && !half.copying; };
            m_outgoing.remove_if(waits);
            m_incoming.remove_if(waits);
        });
        m_monitor.sleep([&] { return isOver(ticket); });
    }

    bool isOver(Ticket ticket) const {
        return !anyOf(m_outgoing, ticket) && !anyOf(m_incoming, ticket);
    }

    static std::uint64_t numberOf(std::vector<std::uint64_t>& counts, int peer) {
        return counts[static_cast<std::size_t>(peer)]++;
    }

    JobMonitor& m_monitor;
    int m_rank;
    Ticket m_ticket = 0;
    std::vector<std::uint64_t> m_sent; ///< pieces, to each rank
    std::vector<std::uint64_t> m_received;
    std::list<Half<std::span<const std::byte>>> m_outgoing; ///< not yet fetched
    std::list<Half<std::span<std::byte>>> m_incoming; ///< not yet there
};

/// Two halves that belong together.
struct ThreadRing::Match {
    Seat* from = nullptr;
    std::list<Half<std::span<const std::byte>>>::iterator outgoing;
    std::list<Half<std::span<std::byte>>>::iterator incoming;
};

ThreadRing::ThreadRing(std::shared_ptr<JobMonitor> monitor, LinkWishes wishes)
    : m_monitor(std::move(monitor))
    , m_wishes(std::move(wishes)) {
    for (int rank = 0; rank < m_monitor->ranks(); ++rank)
        m_seats.push_back(std::make_unique<Seat>(*m_monitor, rank));
    if (m_seats.size() > 1)
        for (const auto& seat : m_seats)
            m_copiers.emplace_back([this, &to = *seat] { copyTo(to); });
}

ThreadRing::~ThreadRing() {
    m_monitor->change([this] { m_quit = true; });
}

Transport& ThreadRing::seat(int rank) {
    return *m_seats[static_cast<std::size_t>(rank)];
}

/// The first piece for `to` that its sender has ready. Under the lock.
std::optional<ThreadRing::Match> ThreadRing::matchFor(Seat& to) const {
    for (auto incoming = to.m_incoming.begin(); incoming != to.m_incoming.end(); ++incoming) {
        Seat& from = *m_seats[static_cast<std::size_t>(incoming->peer)];
        const auto outgoing
            = std::find_if(from.m_outgoing.begin(), from.m_outgoing.end(), [&](const auto& half) {
                  return half.peer == to.m_rank && half.number == incoming->number;
              });
        if (outgoing != from.m_outgoing.end())
            return Match{&from, outgoing, incoming};
    }
    return std::nullopt;
}

/// The copier of one seat.
void ThreadRing::copyTo(Seat& to) {
    for (;;) {
        std::optional<Match> match;
        m_monitor->sleep([&] {
            if (m_quit)
                return true;
            if (!m_monitor->endedUnderLock())
                match = matchFor(to);
            if (match)
                match->outgoing->copying = match->incoming->copying = true;
            return match.has_value();
        });
        if (!match)
            return;
        fetch(to, *match);
        m_monitor->change([&] {
            match->from->m_outgoing.erase(match->outgoing);
            to.m_incoming.erase(match->incoming);
        });
    }
}

void ThreadRing::fetch(const Seat& to, const Match& match) {
    const std::span<const std::byte> source = match.outgoing->bytes;
    const std::span<std::byte> target = match.incoming->bytes;
    if (source.size() != target.size())
        return m_monitor->end(std::make_exception_ptr(Failure(ErrorKind::Internal,
            "Rank " + std::to_string(match.from->m_rank) + " sent " + std::to_string(source.size())
                + " bytes to rank " + std::to_string(to.m_rank) + ", which expected "
                + std::to_string(target.size()) + ".")));
    const auto begun = RingTimeline::Clock::now();
    std::copy(source.begin(), source.end(), target.begin());
    if (m_wishes.pace)
        m_wishes.pace(static_cast<std::int64_t>(source.size()), begun);
    if (m_wishes.timeline)
        m_wishes.timeline->add({to.m_rank, RingTimeline::Lane::Transfer,
            "from rank " + std::to_string(match.from->m_rank),
            static_cast<std::int64_t>(source.size()), begun, RingTimeline::Clock::now()});
}

} // namespace maskscope
