// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/process_group.h"

#include "core/base/error.h"
#include "core/ring/heartbeat.h"

#include <ATen/ops/from_blob.h>
#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <mutex>
#include <utility>
#include <vector>

namespace maskscope {

namespace {

using Store = c10::intrusive_ptr<c10d::Store>;
using Work = c10::intrusive_ptr<c10d::Work>;
using Ticket = std::uint64_t;

constexpr std::chrono::milliseconds kLastWords{3000}; ///< for others to read why rank 0 leaves
constexpr const char* kSomeRank = "Another rank has ended.";
/// Whoever lives may take long: it is by heartbeats that others are found lost.
constexpr std::chrono::milliseconds kLongestWork = std::chrono::hours(24);
constexpr int kSilent = 4; ///< above LibTorch's level of fatal errors

at::Tensor bytesTensor(const std::byte* data, std::size_t size) {
    return at::from_blob(
        const_cast<std::byte*>(data), {static_cast<std::int64_t>(size)}, at::kByte);
}

std::vector<std::uint8_t> bytesOf(const std::string& text) {
    return {text.begin(), text.end()};
}

bool isThisMachine(const std::string& address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

/// How ranks find each other and agree before anything is sent.
class Meeting {
public:
    Meeting(const ProcessPlace& place, const ProcessPatience& patience)
        : m_place(place)
        , m_patience(patience) {
        c10d::TCPStoreOptions options;
        options.port = static_cast<std::uint16_t>(place.masterPort);
        options.isServer = place.rank == 0;
        options.waitWorkers = false;
        options.timeout = place.rank == 0 ? patience.meeting : patience.meeting / 3; // tried twice
        try {
            m_store = c10::make_intrusive<c10d::TCPStore>(place.masterAddress, options);
        } catch (const std::exception&) {
            throw Failure(ErrorKind::Device,
                place.rank == 0 ? "Rank 0 cannot listen on port " + std::to_string(place.masterPort)
                        + ": another program has it, or " + place.masterAddress
                        + " is not an address of this machine. Choose another MASTER_PORT or "
                          "MASTER_ADDR for all ranks."
                                : me() + " found no rank 0 at " + place.masterAddress + ":"
                        + std::to_string(place.masterPort) + " within "
                        + secondsText(2 * options.timeout)
                        + ": start rank 0, or mend MASTER_ADDR and MASTER_PORT.");
        }
    }

    const Store& store() const { return m_store; }

    void agree(const std::string& agreement) {
        if (m_store->add("taken/" + number(m_place.rank), 1) > 1)
            throw Failure(ErrorKind::Device,
                me() + " is another process already: each needs a RANK of its own.");
        m_store->set("size/" + number(m_place.rank), bytesOf(number(m_place.worldSize)));
        m_store->set("agreement/" + number(m_place.rank), bytesOf(agreement));
        try {
            for (int other = 0; other < m_place.worldSize; ++other)
                if (other != m_place.rank)
                    compare(other, agreement);
        } catch (const Failure&) {
            lastWords();
            throw;
        }
    }

private:
    static std::string number(int value) { return std::to_string(value); }
    std::string me() const {
        return "Rank " + number(m_place.rank) + " of " + number(m_place.worldSize);
    }

    std::string read(const std::string& what, int other) {
        std::vector<std::uint8_t> bytes;
        try {
            m_store->wait({what + "/" + number(other)}, m_patience.meeting);
            bytes = m_store->get(what + "/" + number(other));
        } catch (const std::exception&) {
            throw Failure(ErrorKind::Device,
                "Rank " + number(other) + " of " + number(m_place.worldSize)
                    + " did not come to rank 0 at " + m_place.masterAddress + ":"
                    + number(m_place.masterPort) + " within " + secondsText(m_patience.meeting)
                    + ", or left: start all ranks, each with the same WORLD_SIZE.");
        }
        return {bytes.begin(), bytes.end()};
    }

    void compare(int other, const std::string& agreement) {
        const std::string size = read("size", other), agreed = read("agreement", other);
        m_store->set("read/" + number(m_place.rank), bytesOf("yes")); // now rank 0 may leave
        if (size != number(m_place.worldSize))
            throw Failure(ErrorKind::Device,
                "WORLD_SIZE is " + number(m_place.worldSize) + " for rank " + number(m_place.rank)
                    + " and " + size + " for rank " + number(other)
                    + ": give all ranks the same WORLD_SIZE.");
        if (agreed != agreement)
            throw Failure(ErrorKind::Device,
                "Rank " + number(m_place.rank) + " and rank " + number(other)
                    + " were started with different requests, images or models: give all ranks the "
                      "same.");
    }

    /// Those who look for what rank 0 has said find it before it leaves with all that was said.
    void lastWords() {
        if (m_place.rank != 0)
            return;
        try {
            std::vector<std::string> readers;
            for (int other = 1; other < m_place.worldSize; ++other)
                if (m_store->check({"taken/" + number(other)}))
                    readers.push_back("read/" + number(other));
            if (!readers.empty())
                m_store->wait(readers, kLastWords);
        } catch (const std::exception&) {
            return; // they had the time
        }
    }

    const ProcessPlace& m_place;
    const ProcessPatience& m_patience;
    Store m_store;
};

} // namespace

struct ProcessGroup::Connection {
    Connection(const Store& store, const ProcessPlace& place, const ProcessPatience& patience)
        : pulse(patience.still) {
        const auto options = c10d::ProcessGroupGloo::Options::create(kLongestWork);
        options->devices.push_back(isThisMachine(place.masterAddress)
                ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                : c10d::ProcessGroupGloo::createDefaultDevice());
        group = c10::make_intrusive<c10d::ProcessGroupGloo>(
            c10::make_intrusive<c10d::PrefixStore>("ring", store), place.rank, place.worldSize,
            options);
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
        const std::lock_guard lock(mutex);
        aborted = true;
        if (lost.empty())
            lost = reason;
        if (onEnd)
            onEnd();
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

ProcessGroup::ProcessGroup(
    const ProcessPlace& place, const std::string& agreement, const ProcessPatience& patience)
    : m_place(place) {
    checkedRankGrid(size(), m_place.ulysses);
    FLAGS_caffe2_log_level = kSilent; // what c10d has to say is said by our own sentences
    Meeting meeting(m_place, patience);
    meeting.agree(agreement + "\nulysses " + std::to_string(m_place.ulysses));
    try {
        m_connection = std::make_unique<Connection>(meeting.store(), m_place, patience);
    } catch (const std::exception&) {
        throw Failure(ErrorKind::Device,
            "Rank " + std::to_string(rank()) + " of " + std::to_string(size())
                + " cannot connect to the other ranks, which it has met at " + place.masterAddress
                + ": one of them ended, or a firewall is between them.");
    }
    // Added to with 0, the numbers can be read before anybody has written them.
    m_connection->heartbeat = std::make_unique<Heartbeat>(
        rank(), size(), patience.silence, m_connection->pulse,
        [store = meeting.store()](int other, std::int64_t more) {
            return store->add("beat/" + std::to_string(other), more);
        },
        [connection = m_connection.get()](const std::string& lost) { connection->abort(lost); });
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
