// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"

#include <string>

// A sweep as text for programs. Bytes that are not UTF-8 are replaced.
namespace maskscope {

/// One event of `sweep --json`: one line of JSON, without its end.
std::string jsonLineOf(const SweepRecord& record); ///< what is planned and where
std::string jsonLineOf(const SweepPoint& point);
std::string jsonLineOf(const SweepFit& fit);
std::string jsonLineOf(const SweepPrediction& prediction);

/// {"sweep": what was planned and where, "points", "fits", "ends",
/// "predictions"}; each as its event.
std::string jsonOf(const SweepRecord& record);

/// A row for each point, one for each path that ended early, and one for each prediction; RFC 4180,
/// with a header.
std::string csvOf(const SweepRecord& record);

} // namespace maskscope
