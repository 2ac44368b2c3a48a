// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/process_group.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <stop_token>
#include <string>

namespace maskscope {

/// Where the ranks of a ring over processes leave word for each other; rank 0 holds it.
using MeetingPlace = c10::intrusive_ptr<c10d::Store>;

/// Throws Failure(Device) where the host is unknown or there is no rank 0 within patience.meeting,
/// Cancelled.
MeetingPlace meetingPlaceOf(
    const ProcessPlace& place, const ProcessPatience& patience, const std::stop_token& stop);

/// Waits for all ranks to come, each for at most patience.meeting. Throws Failure(Device) that says
/// who did not, or who was started differently and in what. Nothing interrupts it.
void agree(const MeetingPlace& meeting, const ProcessPlace& place, const ProcessPatience& patience,
    const std::string& agreement);

} // namespace maskscope
