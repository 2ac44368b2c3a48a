// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace maskscope {

/// How long a rank took to send so many bytes, while it received as many.
struct TransferTime {
    double bytes = 0;
    double us = 0;
};

/// What transfers take: latencyUs + bytes / gigabytesPerSecond.
struct LinkFigures {
    double latencyUs = 0;
    double gigabytesPerSecond = 0; ///< each way; infinity where bytes cost nothing
    /// Of the processors that also compute, for each byte that a rank sends: 0 where a device of
    /// its own carries it.
    double processorNsPerByte = 0;

    double transferMs(double bytes) const {
        return latencyUs / 1e3 + bytes / gigabytesPerSecond / 1e6;
    }
};

/// The line through measured transfers of at least two sizes, by least squares of the relative
/// errors: so that short transfers tell the latency and long ones the rate. Neither is negative.
LinkFigures fitLink(std::span<const TransferTime> times);

} // namespace maskscope
