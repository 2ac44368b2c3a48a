// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/link_fit.h"

#include <stop_token>
#include <vector>

namespace maskscope {

class ProcessGroup;
class Ring;

struct LinkProbe {
    LinkFigures figures;
    std::vector<TransferTime> times; ///< by size: the slowest rank's median
};

/// Measures what it takes the ranks (at least two) to send to their neighbours, all at the same
/// time and each both ways, as in a ring pass. About 60 MiB for each rank; all processes of a ring
/// call it at the same time. Throws what Ring::run() does.
LinkProbe probeLink(Ring& ring, const std::stop_token& stop);
/// The same between processes, whose group nobody else uses meanwhile.
LinkProbe probeLink(ProcessGroup& group, const std::stop_token& stop);

} // namespace maskscope
