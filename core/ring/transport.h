// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

namespace maskscope {

/// Bytes for another rank.
struct Outgoing {
    int to = 0;
    std::span<const std::byte> bytes;
};

/// Where bytes of another rank go.
struct Incoming {
    int from = 0;
    std::span<std::byte> bytes;
};

/// What a rank's exchanges have cost it so far.
struct TransferAccount {
    std::chrono::nanoseconds waited{0}; ///< exposed: the rank had nothing else to do
    std::int64_t sentBytes = 0;
};

/// How one rank's bytes reach other ranks, and theirs this one. One object per rank, used by that
/// rank only, through Exchange.
///
/// What one rank sends to another arrives in the order of their exchanges: the n-th piece for it is
/// what it receives as the n-th from here, and has as many bytes. Implementations let all of this
/// happen while the rank computes.
class Transport {
public:
    virtual ~Transport() = default;

    const TransferAccount& account() const { return m_account; }

protected:
    friend class Exchange;
    using Ticket = std::uint64_t; ///< of an exchange that was begun

    /// Returns at once. Until finish() returns, what goes out must not change and the place of what
    /// comes in must not be touched. Several exchanges may be under way.
    virtual Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming)
        = 0;

    /// Waits until all of one exchange has happened. Throws when the job has ended.
    virtual void finish(Ticket ticket) = 0;

    /// Instead of finish(), after an error: when it returns, nobody touches the bytes any more.
    virtual void abandon(Ticket ticket) noexcept = 0;

private:
    TransferAccount m_account;
};

/// One exchange, which does not outlive its scope however that is left.
class [[nodiscard]] Exchange {
public:
    Exchange(Transport& transport, std::span<const Outgoing> outgoing,
        std::span<const Incoming> incoming)
        : m_transport(&transport)
        , m_ticket(transport.begin(outgoing, incoming)) {
        for (const Outgoing& piece : outgoing)
            transport.m_account.sentBytes += static_cast<std::int64_t>(piece.bytes.size());
    }
    Exchange(Transport& transport, const Outgoing& outgoing, const Incoming& incoming)
        : Exchange(transport, std::span(&outgoing, 1), std::span(&incoming, 1)) { }
    ~Exchange() {
        if (m_transport)
            m_transport->abandon(m_ticket);
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    void finish() {
        const auto begin = std::chrono::steady_clock::now();
        m_transport->finish(m_ticket);
        m_transport->m_account.waited += std::chrono::steady_clock::now() - begin;
        m_transport = nullptr;
    }

private:
    Transport* m_transport; ///< null once it is finished
    Transport::Ticket m_ticket;
};

} // namespace maskscope
