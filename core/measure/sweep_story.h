// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"

#include <string>
#include <vector>

// What a sweep says, in sentences for people.
namespace maskscope {

/// For each path that was measured its law, "mha grows with P²: 128.0 bytes x P² = 2 matrices x 16
/// heads x 4 bytes, …", or why there is none.
std::vector<std::string> lawsOf(const SweepRecord& record);

/// For each path with matrices and each without, how much more the first takes at the largest size
/// that both were measured at: a sentence with figures.
std::vector<std::string> storyOf(const SweepRecord& record);

} // namespace maskscope
