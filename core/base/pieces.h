// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancelled.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>

namespace maskscope {

/// Calls piece(begin, count) over 0..length in steps of at most `step`; throws Cancelled between
/// them when a stop was asked for.
template <class Piece>
void inPieces(
    std::int64_t length, std::int64_t step, const std::stop_token& stop, const Piece& piece) {
    for (std::int64_t begin = 0; begin < length; begin += step) {
        throwIfStopped(stop);
        piece(begin, std::min(step, length - begin));
    }
}

} // namespace maskscope
