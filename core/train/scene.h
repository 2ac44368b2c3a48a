// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace maskscope {

/// Which pictures a scene is made of. The seeds of the sets never meet.
enum class SceneSet {
    Training, ///< training sprites, training backgrounds
    SeenSprites, ///< evaluation: new scenes of the training sprites, backgrounds never trained on
    UnseenSprites, ///< evaluation: sprites and backgrounds never trained on
};

enum class ObjectColour {
    Mixed, ///< no single colour has a name
    Red,
    Orange,
    Yellow,
    Green,
    Blue,
    Purple,
    Pink,
    Brown,
    Black,
    White,
    Grey
};
inline constexpr int kColours = 11; ///< with a name, from 1 on
std::string_view nameOf(ObjectColour colour); ///< "red"; empty for Mixed

/// One object as it can be seen. Exact: a pixel belongs to the front-most object that covers at
/// least half of it.
struct SceneObject {
    int classIndex = 0; ///< into ClassList; ClassList::unknown() for objects without a name
    ObjectColour colour = ObjectColour::Mixed;
    std::vector<std::uint8_t> mask; ///< [height, width] of the scene, 0 or 1, visible pixels only
    std::array<int, 4> bbox{}; ///< [x, y, width, height] of the ones
    std::int64_t area = 0; ///< number of ones
    std::int64_t fullArea = 0; ///< pixels it would have without occlusion and without the frame
    bool seen = true; ///< its sprite (or drawing) belongs to training
};

/// A composed picture and everything that is known about it.
struct Scene {
    static constexpr int kPatch = 16; ///< pixels on a side of a patch

    Image image; ///< sides are multiples of 32
    std::vector<SceneObject> objects; ///< back to front, each with a visible part worth naming
    std::vector<std::int16_t>
        patchClasses; ///< [height/16, width/16] majority class index of a patch

    int patchRows() const { return image.height / kPatch; }
    int patchColumns() const { return image.width / kPatch; }
    /// How many of `objects` are of that class.
    int countOf(int classIndex) const;
    /// [height, width] 0/1, the pixels of any of these objects.
    std::vector<std::uint8_t> unionOf(std::span<const int> objectIndices) const;
};

} // namespace maskscope
