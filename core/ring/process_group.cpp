// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/process_group.h"

#include "core/base/error.h"
#include "core/ring/bounded_call.h"
#include "core/ring/heartbeat.h"
#include "core/ring/process_meeting.h"

#include <ATen/ops/from_blob.h>
#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace maskscope {

namespace {

using Work = c10::intrusive_ptr<c10d::Work>;
using Ticket = std::uint64_t;

constexpr const char* kSomeRank = "Another rank has ended.";
/// Whoever lives may take long: it is by heartbeats that others are found lost.
constexpr std::chrono::milliseconds kLongestWork = std::chrono::hours(24);
constexpr int kSilent = 4; ///< above LibTorch's level of fatal errors

at::Tensor bytesTensor(const std::byte* data, std::size_t size) {
    return at::from_blob(
        const_cast<std::byte*>(data), {static_cast<std::int64_t>(size)}, at::kByte);
}

bool isThisMachine(const std::string& address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

} // namespace

struct ProcessGroup::Connection {
    /// To ranks that have agreed.
    Connection(
        const MeetingPlace& meeting, const ProcessPlace& place, const ProcessPatience& patience)
        : pulse(patience.still) {
        const auto options = c10d::ProcessGroupGloo::Options::create(kLongestWork);
        options->devices.push_back(isThisMachine(place.masterAddress)
                ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                : c10d::ProcessGroupGloo::createDefaultDevice());
        group = c10::make_intrusive<c10d::ProcessGroupGloo>(
            c10::make_intrusive<c10d::PrefixStore>("ring", meeting), place.rank, place.worldSize,
            options);
        // Added to with 0, the numbers can be read before anybody has written them.
        heartbeat = std::make_unique<Heartbeat>(
            place.rank, place.worldSize, patience.silence, pulse,
            [meeting](int other, std::int64_t more) {
                return meeting->add("beat/" + std::to_string(other), more);
            },
            [this](const std::string& reason) { abort(reason); });
    }

    /// Begins work that abort() can reach.
    void add(Ticket ticket, const std::function<Work()>& begin) {
        const std::lock_guard lock(mutex);
        if (aborted)
            fail();
        try {
            works.push_back({ticket, begin()});
        } catch (const std::exception&) {
            lost = lost.empty() ? kSomeRank : lost;
            fail();
        }
    }

    /// Waits for all work of one exchange.
    void wait(Ticket ticket) {
        pulse.setWaiting(true);
        for (std::size_t i = 0; i < works.size(); ++i) // of which only this thread changes the list
            try {
                if (works[i].ticket == ticket)
                    works[i].work->wait();
            } catch (const std::exception&) {
                const std::lock_guard lock(mutex);
                lost = lost.empty() && !aborted ? kSomeRank : lost;
                fail();
            }
        pulse.setWaiting(false);
        const std::lock_guard lock(mutex);
        std::erase_if(works, [&](const Begun& begun) { return begun.ticket == ticket; });
        if (aborted) // which lets a wait end without a word
            fail();
    }

    void clear() {
        const std::lock_guard lock(mutex);
        works.clear();
    }

    void abort(const std::string& reason) noexcept {
        std::function<void()> tell;
        {
            const std::lock_guard lock(mutex);
            aborted = true;
            if (lost.empty())
                lost = reason;
            tell = onEnd;
        }
        if (tell)
            tell(); // without the lock: who is told may abort too
        const std::lock_guard lock(mutex);
        for (const Begun& begun : works)
            try {
                begun.work->abort();
            } catch (const std::exception&) {
                continue; // it has ended by itself
            }
    }

    /// Under the lock.
    [[noreturn]] void fail() const {
        throw Failure(ErrorKind::Device,
            (lost.empty() ? "This rank was stopped." : lost)
                + " The job was ended; start all ranks again.");
    }

    c10::intrusive_ptr<c10d::ProcessGroupGloo> group;
    Pulse pulse; ///< waits for ever once a wait has failed
    mutable std::mutex mutex; ///< of what follows
    struct Begun {
        Ticket ticket;
        Work work;
    };
    std::vector<Begun> works; ///< not yet waited for
    std::function<void()> onEnd;
    std::string lost; ///< who was, in a sentence
    bool aborted = false;
    std::unique_ptr<Heartbeat> heartbeat; ///< the first to go
};

std::string ProcessGroup::missing() {
    return {};
}

ProcessGroup::ProcessGroup(const ProcessPlace& place, const std::string& agreement,
    const ProcessPatience& patience, const std::stop_token& stop)
    : m_place(place) {
    checkedRankGrid(size(), m_place.ulysses);
    FLAGS_caffe2_log_level = kSilent; // what c10d has to say is said by our own sentences
    const MeetingPlace meeting = meetingPlaceOf(place, patience, stop);
    const auto met = [=] {
        agree(meeting, place, patience, agreement);
        return true;
    };
    boundedCall(met, kLongestWork, stop); // each rank has its own time to come
    auto connection = boundedCall(
        [=]() -> std::unique_ptr<Connection> {
            try {
                return std::make_unique<Connection>(meeting, place, patience);
            } catch (const std::exception&) {
                return nullptr;
            }
        },
        patience.meeting, stop);
    if (!connection || !*connection)
        throw Failure(ErrorKind::Device,
            "Rank " + std::to_string(rank()) + " of " + std::to_string(size())
                + " cannot connect to the other ranks, which it has met at " + place.masterAddress
                + ": one of them ended, or a firewall is between them.");
    m_connection = std::move(*connection);
}

ProcessGroup::~ProcessGroup() = default;

// Gloo, too, gives what one rank sends to another in the order in which it was sent.
ProcessGroup::Ticket ProcessGroup::begin(
    std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) {
    auto& group = *m_connection->group;
    ++m_ticket;
    try {
        for (const Incoming& piece : incoming) {
            std::vector<at::Tensor> received{bytesTensor(piece.bytes.data(), piece.bytes.size())};
            if (!piece.bytes.empty())
                m_connection->add(m_ticket, [&] { return group.recv(received, piece.from, 0); });
        }
        for (const Outgoing& piece : outgoing) {
            std::vector<at::Tensor> sent{bytesTensor(piece.bytes.data(), piece.bytes.size())};
            if (!piece.bytes.empty())
                m_connection->add(m_ticket, [&] { return group.send(sent, piece.to, 0); });
        }
    } catch (...) {
        abandon(m_ticket);
        throw;
    }
    return m_ticket;
}

void ProcessGroup::finish(Ticket ticket) {
    m_connection->wait(ticket);
}

void ProcessGroup::abandon(Ticket) noexcept {
    abort();
    m_connection->clear();
}

void ProcessGroup::gather(std::span<std::byte> rows, const RingPlan& plan, std::int64_t rowBytes) {
    for (int root = 0; root < size(); ++root) {
        const RingShare share = plan.share(root);
        if (share.count == 0)
            continue;
        const auto part = rows.subspan(static_cast<std::size_t>(share.begin * rowBytes),
            static_cast<std::size_t>(share.count * rowBytes));
        std::vector<at::Tensor> tensors{bytesTensor(part.data(), part.size())};
        c10d::BroadcastOptions options;
        options.rootRank = root;
        m_connection->add(
            ++m_ticket, [&] { return m_connection->group->broadcast(tensors, options); });
        finish(m_ticket);
    }
}

void ProcessGroup::abort() noexcept {
    m_connection->abort({});
}

void ProcessGroup::watch(std::function<std::uint64_t()> signs) {
    m_connection->pulse.follow(std::move(signs));
}

void ProcessGroup::whenEnded(std::function<void()> onEnd) {
    const std::lock_guard lock(m_connection->mutex);
    m_connection->onEnd = std::move(onEnd);
}

void ProcessGroup::check() const {
    const std::lock_guard lock(m_connection->mutex);
    if (!m_connection->lost.empty())
        m_connection->fail();
}

} // namespace maskscope
