// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/nccl_ring.h"

#include "core/base/error.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <exception>
#include <map>
#include <set>
#include <utility>

namespace maskscope {

namespace {

constexpr const char* kExchange = "exchange keys and values";

/// A stream of the device that nothing else computes on.
c10::Stream streamBeside(const c10::Device& device) {
    const c10::DeviceGuard guard(device);
    return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device);
}

c10::Event recordedOn(const c10::Stream& stream) {
    c10::Event event(stream.device_type());
    event.record(stream);
    return event;
}

} // namespace

class NcclRing::Seat final : public Transport {
public:
    Seat(JobMonitor& monitor, const NcclLibrary& nccl, int rank, const c10::Device& device,
        NcclLibrary::Communicator communicator)
        : m_monitor(monitor)
        , m_nccl(nccl)
        , m_rank(rank)
        , m_device(device)
        , m_stream(streamBeside(device))
        , m_communicator(communicator) { }

    /// Where the job has ended, others may have stopped: what waits for them would wait for ever.
    ~Seat() override {
        if (m_communicator)
            (m_monitor.cause() ? m_nccl.abort : m_nccl.destroy)(m_communicator);
    }

private:
    Ticket begin(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) override {
        m_monitor.alive(m_rank);
        if (!m_communicator)
            throw JobEnded();
        const c10::DeviceGuard guard(m_device);
        recordedOn(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device))
            .block(m_stream);
        if (const int result = queue(outgoing, incoming); result != 0) {
            stop();
            m_nccl.check(result, kExchange);
        }
        m_begun.emplace(++m_ticket, recordedOn(m_stream));
        return m_ticket;
    }

    /// As one group: NCCL would else carry them one after the other, and each side could wait for
    /// the other for ever.
    int queue(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming) {
        void* const stream = m_stream.native_handle();
        int result = m_nccl.groupStart();
        for (const auto& [to, bytes] : outgoing)
            if (result == 0 && !bytes.empty())
                result = m_nccl.send(
                    bytes.data(), bytes.size(), NcclLibrary::kBytes, to, m_communicator, stream);
        for (const auto& [from, bytes] : incoming)
            if (result == 0 && !bytes.empty())
                result = m_nccl.receive(
                    bytes.data(), bytes.size(), NcclLibrary::kBytes, from, m_communicator, stream);
        const int ended = m_nccl.groupEnd();
        return result != 0 ? result : ended;
    }

    void finish(Ticket ticket) override {
        const auto begun = m_begun.find(ticket);
        m_monitor.poll(m_rank, [&] {
            int result = 0;
            m_nccl.check(m_nccl.asyncError(m_communicator, &result), kExchange);
            m_nccl.check(result, kExchange);
            return begun->second.query();
        });
        m_begun.erase(begun);
    }

    void abandon(Ticket) noexcept override { stop(); }

    /// Nothing of this seat is under way any more when it returns, and nothing ever begins again.
    void stop() noexcept {
        if (m_communicator)
            m_nccl.abort(std::exchange(m_communicator, nullptr));
        try {
            m_stream.synchronize();
        } catch (const std::exception&) {
            return; // a device that fails has stopped, too
        }
    }

    JobMonitor& m_monitor;
    const NcclLibrary& m_nccl;
    int m_rank;
    c10::Device m_device;
    c10::Stream m_stream;
    NcclLibrary::Communicator m_communicator; ///< null once it was stopped
    Ticket m_ticket = 0;
    std::map<Ticket, c10::Event> m_begun; ///< which happen when they have arrived
};

NcclRing::NcclRing(
    std::shared_ptr<JobMonitor> monitor, NcclLibrary nccl, const std::vector<c10::Device>& devices)
    : m_monitor(std::move(monitor))
    , m_nccl(std::move(nccl)) {
    std::vector<int> indices;
    indices.reserve(devices.size());
    for (const c10::Device& device : devices)
        indices.push_back(device.index());
    if (std::set(indices.begin(), indices.end()).size() < indices.size())
        throw Failure(ErrorKind::Device,
            "NCCL does not join ranks that share a GPU: give each rank one of its own, such as "
            "--ring-devices cuda:0,cuda:1.");
    std::vector<NcclLibrary::Communicator> all(devices.size());
    m_nccl.check(m_nccl.initAll(all.data(), static_cast<int>(all.size()), indices.data()),
        "join the GPUs of the ring");
    for (std::size_t rank = 0; rank < devices.size(); ++rank)
        m_seats.push_back(std::make_unique<Seat>(
            *m_monitor, m_nccl, static_cast<int>(rank), devices[rank], all[rank]));
}

NcclRing::~NcclRing() = default;

Transport& NcclRing::seat(int rank) {
    return *m_seats[static_cast<std::size_t>(rank)];
}

} // namespace maskscope
