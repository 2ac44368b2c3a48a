// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_fit.h"

#include <limits>

namespace maskscope {

LinkFigures fitLink(std::span<const TransferTime> times) {
    // Weighted by 1 / us^2: sums of w, w b, w b^2, w t, w b t.
    double w = 0, wb = 0, wbb = 0, wt = 0, wbt = 0;
    for (const auto& [bytes, us] : times) {
        const double weight = 1 / (us * us);
        w += weight;
        wb += weight * bytes;
        wbb += weight * bytes * bytes;
        wt += weight * us;
        wbt += weight * bytes * us;
    }
    double usPerByte = (w * wbt - wb * wt) / (w * wbb - wb * wb);
    double latency = (wt - usPerByte * wb) / w;
    if (latency < 0) {
        latency = 0;
        usPerByte = wbt / wbb;
    } else if (usPerByte <= 0) {
        latency = wt / w;
        usPerByte = 0;
    }
    LinkFigures link;
    link.latencyUs = latency;
    link.gigabytesPerSecond
        = usPerByte > 0 ? 1e-3 / usPerByte : std::numeric_limits<double>::infinity();
    return link;
}

} // namespace maskscope
