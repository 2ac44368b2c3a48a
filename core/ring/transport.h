// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace maskscope {

/// How one rank's keys and values reach the next rank. One object per rank, used by that rank only.
///
/// Every rank begins the same exchanges in the same order. Implementations let both halves of an
/// exchange happen while the rank computes, and throw from finish() when the job has ended.
class Transport {
public:
    virtual ~Transport() = default;

    /// Begins to send `outgoing` to the next rank and to receive as many bytes as the rank before
    /// sends into `incoming`. Returns at once. Until finish() returns, `outgoing` must not change
    /// and `incoming` must not be touched.
    virtual void begin(std::span<const std::byte> outgoing, std::span<std::byte> incoming) = 0;

    /// Waits until both have happened.
    virtual void finish() = 0;

    /// Instead of finish(), after an error: when it returns, nobody touches the buffers any more.
    virtual void abandon() noexcept = 0;
};

/// One exchange, which does not outlive its scope however that is left.
class [[nodiscard]] Exchange {
public:
    Exchange(
        Transport& transport, std::span<const std::byte> outgoing, std::span<std::byte> incoming)
        : m_transport(&transport) {
        transport.begin(outgoing, incoming);
    }
    ~Exchange() {
        if (m_transport)
            m_transport->abandon();
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    void finish() {
        m_transport->finish();
        m_transport = nullptr;
    }

private:
    Transport* m_transport; ///< null once it is finished
};

} // namespace maskscope
