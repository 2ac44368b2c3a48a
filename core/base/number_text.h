// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace maskscope {

/// A number as printf writes it, such as by "%.1f". At most 63 characters.
std::string numberText(const char* format, double value);

} // namespace maskscope
