// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace maskscope {

/// Learning rate over a run: a linear rise over the first `warmup` share, then half a cosine down
/// to `floor` times the peak. A function of progress, not of steps, so that a run may be budgeted
/// in minutes or in images.
struct Schedule {
    double peak = 1e-3;
    double warmup = 0.02; ///< share of the run, 0..1
    double floor = 0.03; ///< of the peak

    /// `progress` is 0 at the start and 1 at the end; values outside are clamped.
    double at(double progress) const;
};

} // namespace maskscope
