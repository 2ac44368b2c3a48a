// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_header.h"

namespace maskscope {

/// This machine, as a run that uses `threads` (0: as many as by default) keeps it.
RunMachine thisMachine(int threads = 0);

} // namespace maskscope
