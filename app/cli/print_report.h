// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"

namespace maskscope {

/// A finished run for people, on standard output: masks, attention path, time and extra peak of
/// each stage.
void printReport(const Report& report, double totalMs);

} // namespace maskscope
