// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

inline constexpr int kMostRanks = 64; ///< of a ring

/// "cpu,cpu" as a list. Throws Failure(Usage) when a name is empty.
std::vector<std::string> ringDevicesFrom(std::string_view text);

/// The devices of a ring: those asked for, or two ranks on the CPU where none are. Throws
/// Failure(Usage) for names that are no devices or too many of them, Failure(Device) for devices
/// that this build does not have.
std::vector<std::string> checkedRingDevices(const std::vector<std::string>& asked);

} // namespace maskscope
