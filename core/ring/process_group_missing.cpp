// SPDX-License-Identifier: GPL-3.0-or-later
// In builds without Gloo's headers.
#include "core/base/error.h"
#include "core/ring/process_group.h"

namespace maskscope {

struct ProcessGroup::Connection { };

std::string ProcessGroup::missing() {
    return "this build has no c10d with Gloo: install libgloo-dev and configure again";
}

ProcessGroup::ProcessGroup(
    const ProcessPlace& place, const std::string&, const ProcessPatience&, const std::stop_token&)
    : m_place(place) {
    throw Failure(ErrorKind::Device, "Ranks cannot be processes: " + missing() + ".");
}

ProcessGroup::~ProcessGroup() = default;
ProcessGroup::Ticket ProcessGroup::begin(std::span<const Outgoing>, std::span<const Incoming>) {
    return ++m_ticket;
}
void ProcessGroup::finish(Ticket) { }
void ProcessGroup::abandon(Ticket) noexcept { }
void ProcessGroup::gather(std::span<std::byte>, const RingPlan&, std::int64_t) { }
void ProcessGroup::abort() noexcept { }
void ProcessGroup::watch(std::function<std::uint64_t()>) { }
void ProcessGroup::whenEnded(std::function<void()>) { }
void ProcessGroup::check() const { }

} // namespace maskscope
