// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace maskscope {

/// Red, green, blue of the nth mask (from 0), the same in the window, overlays, index masks and
/// drawings. The first seven are told apart with any kind of colour vision (Okabe and Ito 2008,
/// without black); later ones are the same hues, lighter and darker.
std::array<std::uint8_t, 3> maskColour(int index);

} // namespace maskscope
