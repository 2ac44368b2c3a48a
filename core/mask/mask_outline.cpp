// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_outline.h"

#include <array>
#include <cstddef>

namespace maskscope {
namespace {

/// Walks along pixel edges with the mask on the right-hand side.
class Tracer {
public:
    explicit Tracer(const Mask& mask)
        : m_mask(mask)
        , m_walked(mask.bits.size()) { }

    std::vector<OutlineRing> rings() {
        std::vector<OutlineRing> rings;
        for (int y = 0; y < m_mask.height; ++y)
            for (int x = 0; x < m_mask.width; ++x)
                if (isTopEdge(x, y) && !walked(x, y))
                    rings.push_back(walk({x, y}));
        return rings;
    }

private:
    enum Direction { kRight, kDown, kLeft, kUp };
    static constexpr std::array<Corner, 4> kStep{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    // The pixel ahead on the right-hand side, seen from a corner; on the left-hand side it is the
    // one that the direction before has there.
    static constexpr std::array<Corner, 4> kAheadRight{{{0, 0}, {-1, 0}, {-1, -1}, {0, -1}}};

    bool isSet(int x, int y) const {
        return x >= 0 && y >= 0 && x < m_mask.width && y < m_mask.height
            && m_mask.bits[at(x, y)] != 0;
    }
    std::size_t at(int x, int y) const {
        return std::size_t(y) * std::size_t(m_mask.width) + std::size_t(x);
    }
    bool isTopEdge(int x, int y) const { return isSet(x, y) && !isSet(x, y - 1); }
    bool walked(int x, int y) const { return m_walked[at(x, y)]; }

    bool isAhead(const Corner& corner, int direction) const {
        const Corner& pixel = kAheadRight[std::size_t(direction)];
        return isSet(corner.x + pixel.x, corner.y + pixel.y);
    }

    // Every ring has edges along which it goes right, and they lie above a pixel each: marking
    // those is enough to walk each ring once.
    OutlineRing walk(const Corner& start) {
        OutlineRing ring;
        Corner corner = start;
        int direction = kRight;
        do {
            if (direction == kRight)
                m_walked[at(corner.x, corner.y)] = true;
            corner.x += kStep[std::size_t(direction)].x;
            corner.y += kStep[std::size_t(direction)].y;
            const int before = direction;
            if (!isAhead(corner, direction))
                direction = (direction + 1) % 4;
            else if (isAhead(corner, (direction + 3) % 4))
                direction = (direction + 3) % 4;
            if (direction != before)
                ring.push_back(corner);
        } while (!(corner == start && direction == kRight));
        return ring;
    }

    const Mask& m_mask;
    std::vector<bool> m_walked;
};

} // namespace

std::vector<OutlineRing> outlineOf(const Mask& mask) {
    return Tracer(mask).rings();
}

} // namespace maskscope
