// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/history/run_record.h"

#include <filesystem>

namespace maskscope {

/// The ending of a file that holds one run: its lines, as linesOf() has them.
inline constexpr const char* kRunFileSuffix = ".maskrun";

/// Whole or not at all. Throws Failure(Input) that names the file.
void writeRunFile(const RunRecord& record, const std::filesystem::path& file, Existing existing);

/// A run from a file that nobody vouches for. Throws Failure(Input) that names the file and what is
/// wrong: it cannot be read, is too large, is no run, or one that could not have been.
RunRecord readRunFile(const std::filesystem::path& file);

} // namespace maskscope
