// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace maskscope {

/// For people: "512 bytes", "1.5 MiB", "30.7 GiB" (powers of 1,024, at most `decimals` decimals).
std::string bytesText(std::int64_t bytes, int decimals = 1);

} // namespace maskscope
