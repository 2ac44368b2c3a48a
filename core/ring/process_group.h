// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/rank_grid.h"
#include "core/ring/ring_plan.h"
#include "core/ring/transport.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace maskscope {

/// This process's place among those that work on one request together.
struct ProcessPlace {
    int rank = 0;
    int worldSize = 1;
    std::string masterAddress; ///< where rank 0 is found
    int masterPort = 0;
    int ulysses = 1; ///< see RankGrid; the same for all
};

/// From RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as torchrun sets them; `value` gives one of
/// them or null. Throws Failure(Usage) that names the variable that is missing or does not fit.
ProcessPlace processPlaceFrom(const std::function<const char*(const char*)>& value);

struct ProcessPatience {
    std::chrono::milliseconds meeting{10'000}; ///< for all ranks to come
    std::chrono::milliseconds silence{5'000}; ///< of a process before it counts as lost
    std::chrono::milliseconds still{7'500}; ///< of what a process computes; see watch()
};

/// The ranks of a ring that are processes, of this machine or several, over c10d's Gloo. One thread
/// uses it; abort() may come from any.
class ProcessGroup final : public Transport {
public:
    /// Why this build has no such groups; empty where it has.
    static std::string missing();

    /// Meets the other ranks. `agreement` is what all of them must have alike. Throws
    /// Failure(Usage) where they do not make a grid, Failure(Device) that says who did not come, or
    /// who does not agree and in what, Cancelled. From then on each process sees every half second
    /// whether the others live.
    ProcessGroup(const ProcessPlace& place, const std::string& agreement,
        const ProcessPatience& patience, const std::stop_token& stop = {});
    ~ProcessGroup() override;
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    int rank() const { return m_place.rank; }
    int size() const { return m_place.worldSize; }
    RankGrid grid() const { return {m_place.ulysses, size() / m_place.ulysses}; }

    /// Gives every rank the rows that the others have, `rowBytes` for each token of the plan.
    void gather(std::span<std::byte> rows, const RingPlan& plan, std::int64_t rowBytes);

    /// Whoever waits in it throws, and nothing begins any more.
    void abort() noexcept;

    /// From now on this process only counts as alive while `signs`, which any thread asks for the
    /// number of its signs of life, goes up or it waits for others; null: whatever it does.
    void watch(std::function<std::uint64_t()> signs);

    /// Called, on any thread, when it is aborted or a process is lost; null calls nobody.
    void whenEnded(std::function<void()> onEnd);

    /// Throws Failure(Device) that names a process that was lost.
    void check() const;

private:
    struct Connection;

    Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override;
    /// Throws Failure(Device) when another rank has ended or is silent.
    void finish(Ticket ticket) override;
    void abandon(Ticket ticket) noexcept override;

    ProcessPlace m_place;
    std::unique_ptr<Connection> m_connection;
    Ticket m_ticket = 0; ///< the last one
};

} // namespace maskscope
