// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/thread_ring.h"

#include "core/base/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace maskscope {

class ThreadRing::Seat final : public Transport {
public:
    Seat(ThreadRing& ring, int rank)
        : m_ring(ring)
        , m_rank(rank) { }

    void begin(std::span<const std::byte> outgoing, std::span<std::byte> incoming) override {
        m_ring.m_monitor->change([&] {
            m_outgoing = outgoing;
            m_incoming = incoming;
            m_sends = m_receives = true;
        });
    }

    void finish() override {
        m_ring.m_monitor->await(m_rank, [&] { return !m_sends && !m_receives; });
    }

    void abandon() noexcept override {
        Seat& next = m_ring.after(*this);
        m_ring.m_monitor->change([&] {
            m_sends = m_sends && next.m_copying;
            m_receives = m_receives && m_copying;
        });
        m_ring.m_monitor->sleep([&] { return !m_sends && !m_receives; });
    }

private:
    friend class ThreadRing;
    ThreadRing& m_ring;
    int m_rank;
    std::span<const std::byte> m_outgoing;
    std::span<std::byte> m_incoming;
    bool m_sends = false; ///< m_outgoing waits to be fetched, or is being
    bool m_receives = false; ///< m_incoming waits to be filled, or is being
    bool m_copying = false; ///< into m_incoming
};

ThreadRing::ThreadRing(std::shared_ptr<JobMonitor> monitor)
    : m_monitor(std::move(monitor)) {
    for (int rank = 0; rank < m_monitor->ranks(); ++rank)
        m_seats.push_back(std::make_unique<Seat>(*this, rank));
    if (m_seats.size() > 1)
        for (const auto& seat : m_seats)
            m_copiers.emplace_back([this, &to = *seat] { copy(to); });
}

ThreadRing::~ThreadRing() {
    m_monitor->change([this] { m_quit = true; });
}

Transport& ThreadRing::seat(int rank) {
    return *m_seats[static_cast<std::size_t>(rank)];
}

ThreadRing::Seat& ThreadRing::before(const Seat& seat) {
    const auto rank = static_cast<std::size_t>(seat.m_rank);
    return *m_seats[(rank + m_seats.size() - 1) % m_seats.size()];
}

ThreadRing::Seat& ThreadRing::after(const Seat& seat) {
    return *m_seats[(static_cast<std::size_t>(seat.m_rank) + 1) % m_seats.size()];
}

/// The copier of one seat.
void ThreadRing::copy(Seat& to) {
    Seat& from = before(to);
    for (;;) {
        std::span<const std::byte> source;
        std::span<std::byte> target;
        bool quit = false;
        m_monitor->sleep([&] {
            quit = m_quit;
            if (quit)
                return true;
            if (!to.m_receives || !from.m_sends || m_monitor->endedUnderLock())
                return false;
            to.m_copying = true;
            source = from.m_outgoing;
            target = to.m_incoming;
            return true;
        });
        if (quit)
            return;
        if (source.size() == target.size())
            std::copy(source.begin(), source.end(), target.begin());
        else
            m_monitor->end(std::make_exception_ptr(Failure(ErrorKind::Internal,
                "Rank " + std::to_string(from.m_rank) + " sent " + std::to_string(source.size())
                    + " bytes to rank " + std::to_string(to.m_rank) + ", which expected "
                    + std::to_string(target.size()) + ".")));
        m_monitor->change([&] { to.m_copying = to.m_receives = from.m_sends = false; });
    }
}

} // namespace maskscope
