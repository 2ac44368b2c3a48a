// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdio>
#include <iostream>

namespace maskscope {

/// A line of a table on standard output, at once; `format` is printf's.
template <class... Columns>
void printRow(const char* format, const Columns&... columns) {
    std::array<char, 240> line{};
    std::snprintf(line.data(), line.size(), format, columns...);
    std::cout << line.data() << '\n' << std::flush;
}

} // namespace maskscope
