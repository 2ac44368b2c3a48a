// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_colour.h"

#include <cstddef>

namespace maskscope {

std::array<std::uint8_t, 3> maskColour(int index) {
    // Neighbours differ strongly in brightness too.
    static constexpr std::array<std::array<std::uint8_t, 3>, 7> kColours{{
        {230, 159, 0}, // orange
        {0, 114, 178}, // blue
        {240, 228, 66}, // yellow
        {213, 94, 0}, // vermilion
        {86, 180, 233}, // sky blue
        {204, 121, 167}, // reddish purple
        {0, 158, 115}, // bluish green
    }};
    // How far a colour goes to white (positive) or black, in percent, from one round to the next.
    static constexpr std::array<int, 4> kShades{0, 45, -35, 20};
    const std::size_t place = std::size_t(index < 0 ? 0 : index);
    std::array<std::uint8_t, 3> colour = kColours[place % kColours.size()];
    const int shade = kShades[place / kColours.size() % kShades.size()];
    for (std::uint8_t& channel : colour) {
        const int target = shade > 0 ? 255 : 0;
        const int part = shade > 0 ? shade : -shade;
        channel = static_cast<std::uint8_t>(channel + (target - channel) * part / 100);
    }
    return colour;
}

} // namespace maskscope
