// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

namespace maskscope {

/// Told what LibTorch warns of; on the thread that warns.
using WarningSink = std::function<void(std::string_view)>;

/// Puts LibTorch into its normal state before a job, on the thread that will run it: oneDNN on
/// again (one refused allocation makes LibTorch switch it off for the whole process, and bfloat16
/// products are then 50 times slower), and this thread's warnings to `sink` instead of standard
/// error; an empty sink drops them.
void prepareRequest(WarningSink sink);

} // namespace maskscope
