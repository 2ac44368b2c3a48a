// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/process_meeting.h"

#include "core/base/error.h"
#include "core/ring/bounded_call.h"
#include "core/ring/heartbeat.h"

#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <netdb.h>
#include <sys/socket.h>

#include <cstdint>
#include <vector>

namespace maskscope {

namespace {

constexpr std::chrono::milliseconds kLastWords{3000}; ///< for others to read why rank 0 leaves

std::string number(int value) {
    return std::to_string(value);
}

std::string nameOf(const ProcessPlace& place) {
    return "Rank " + number(place.rank) + " of " + number(place.worldSize);
}

std::string masterOf(const ProcessPlace& place) {
    return place.masterAddress + ":" + number(place.masterPort);
}

/// LibTorch would look for an unknown host until its time is over, and not say what is wrong.
void lookUp(const std::string& host) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = getaddrinfo(host.c_str(), nullptr, &wanted, &found); error != 0)
        throw Failure(ErrorKind::Device,
            "MASTER_ADDR is " + host + ", for which there is no address (" + gai_strerror(error)
                + "): give all ranks the name or address of rank 0's machine.");
    freeaddrinfo(found);
}

Failure noRankZero(const ProcessPlace& place, std::chrono::milliseconds after) {
    return {ErrorKind::Device,
        nameOf(place) + " found no rank 0 at " + masterOf(place) + " within " + secondsText(after)
            + ": start rank 0, or mend MASTER_ADDR and MASTER_PORT."};
}

MeetingPlace connected(const ProcessPlace& place, const ProcessPatience& patience) {
    lookUp(place.masterAddress);
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(place.masterPort);
    options.isServer = place.rank == 0;
    options.waitWorkers = false;
    options.timeout = place.rank == 0 ? patience.meeting : patience.meeting / 3; // tried twice
    try {
        return c10::make_intrusive<c10d::TCPStore>(place.masterAddress, options);
    } catch (const std::exception&) {
        if (place.rank > 0)
            throw noRankZero(place, 2 * options.timeout);
        throw Failure(ErrorKind::Device,
            "Rank 0 cannot listen on port " + number(place.masterPort)
                + ": another program has it, or " + place.masterAddress
                + " is not an address of this machine. Choose another MASTER_PORT or MASTER_ADDR "
                  "for all ranks.");
    }
}

/// One rank among those that came to the meeting place.
class Guest {
public:
    Guest(const MeetingPlace& meeting, const ProcessPlace& place, const ProcessPatience& patience)
        : m_meeting(meeting)
        , m_place(place)
        , m_patience(patience) { }

    void agree(const std::string& agreement) {
        if (m_meeting->add("taken/" + number(m_place.rank), 1) > 1)
            throw Failure(ErrorKind::Device,
                nameOf(m_place) + " is another process already: each needs a RANK of its own.");
        say("size", number(m_place.worldSize));
        say("ulysses", number(m_place.ulysses));
        say("agreement", agreement);
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
    void say(const std::string& what, const std::string& text) {
        m_meeting->set(
            what + "/" + number(m_place.rank), std::vector<std::uint8_t>(text.begin(), text.end()));
    }

    std::string read(const std::string& what, int other) {
        std::vector<std::uint8_t> bytes;
        try {
            m_meeting->wait({what + "/" + number(other)}, m_patience.meeting);
            bytes = m_meeting->get(what + "/" + number(other));
        } catch (const std::exception&) {
            throw Failure(ErrorKind::Device,
                "Rank " + number(other) + " of " + number(m_place.worldSize)
                    + " did not come to rank 0 at " + masterOf(m_place) + " within "
                    + secondsText(m_patience.meeting)
                    + ", or left: start all ranks, each with the same WORLD_SIZE.");
        }
        return {bytes.begin(), bytes.end()};
    }

    void compare(int other, const std::string& agreement) {
        const std::string size = read("size", other), ulysses = read("ulysses", other),
                          agreed = read("agreement", other);
        say("read", "yes"); // now rank 0 may leave
        expectSame("WORLD_SIZE", m_place.worldSize, size, other);
        expectSame("--ulysses", m_place.ulysses, ulysses, other);
        if (agreed != agreement)
            throw Failure(ErrorKind::Device,
                "Rank " + number(m_place.rank) + " and rank " + number(other)
                    + " were started with different requests, images or models: give all ranks the "
                      "same.");
    }

    void expectSame(const std::string& what, int mine, const std::string& theirs, int other) const {
        if (theirs != number(mine))
            throw Failure(ErrorKind::Device,
                what + " is " + number(mine) + " for rank " + number(m_place.rank) + " and "
                    + theirs + " for rank " + number(other) + ": give all ranks the same " + what
                    + ".");
    }

    /// Those who look for what rank 0 has said find it before it leaves with all that was said.
    void lastWords() {
        if (m_place.rank != 0)
            return;
        try {
            std::vector<std::string> readers;
            for (int other = 1; other < m_place.worldSize; ++other)
                if (m_meeting->check({"taken/" + number(other)}))
                    readers.push_back("read/" + number(other));
            if (!readers.empty())
                m_meeting->wait(readers, kLastWords);
        } catch (const std::exception&) {
            return; // they had the time
        }
    }

    const MeetingPlace& m_meeting;
    const ProcessPlace& m_place;
    const ProcessPatience& m_patience;
};

} // namespace

MeetingPlace meetingPlaceOf(
    const ProcessPlace& place, const ProcessPatience& patience, const std::stop_token& stop) {
    const auto meeting = boundedCall(
        [place, patience] { return connected(place, patience); }, patience.meeting, stop);
    if (!meeting)
        throw noRankZero(place, patience.meeting);
    return *meeting;
}

void agree(const MeetingPlace& meeting, const ProcessPlace& place, const ProcessPatience& patience,
    const std::string& agreement) {
    Guest(meeting, place, patience).agree(agreement);
}

} // namespace maskscope
