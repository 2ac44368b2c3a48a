// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/image/chart.h"

#include <filesystem>

namespace maskscope {

/// Throws before anything is measured: Failure(Usage) for another ending than .svg and .png,
/// what checkCanWrite() throws.
void checkChartFile(const std::filesystem::path& path, Existing existing);

/// In the format that the ending of `path` names. Atomic; throws Failure(Input).
void writeChart(const Chart& chart, const std::filesystem::path& path, Existing existing);

} // namespace maskscope
