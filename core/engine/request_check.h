// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

namespace maskscope {

/// Throws Failure(Usage or Device) with a sentence when a request cannot be meant: no image,
/// nothing to look for, a click outside of the picture, sampling values out of range, a path that
/// this build does not have.
void checkRequest(const Request& request);

} // namespace maskscope
