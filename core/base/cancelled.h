// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <stop_token>

namespace maskscope {

/// Thrown inside core when a request's stop was asked for; an outcome, not an error, so it is no
/// Failure. Whoever runs the request turns it into Outcome::Cancelled.
class Cancelled : public std::exception {
public:
    const char* what() const noexcept override { return "The request was stopped."; }
};

/// Called between pieces of work that take at most about 150 ms.
inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

} // namespace maskscope
