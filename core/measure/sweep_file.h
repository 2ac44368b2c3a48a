// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/image/chart.h"
#include "core/measure/sweep.h"

#include <filesystem>

namespace maskscope {

/// Extra peaks in MiB over patches, with each path's law; predictions and the machine below.
Chart chartOf(const SweepRecord& record);

/// Throws before anything is measured: Failure(Usage) for another ending than .svg, .png, .csv and
/// .json, what checkCanWrite() throws.
void checkSweepFile(const std::filesystem::path& path, Existing existing);

/// In the format that the ending of `path` names. Atomic; throws Failure(Input).
void writeSweep(const SweepRecord& record, const std::filesystem::path& path, Existing existing);

} // namespace maskscope
