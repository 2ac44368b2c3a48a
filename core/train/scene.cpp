// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/scene.h"

#include <algorithm>

namespace maskscope {

std::string_view nameOf(ObjectColour colour) {
    switch (colour) {
    case ObjectColour::Mixed:
        return "";
    case ObjectColour::Red:
        return "red";
    case ObjectColour::Orange:
        return "orange";
    case ObjectColour::Yellow:
        return "yellow";
    case ObjectColour::Green:
        return "green";
    case ObjectColour::Blue:
        return "blue";
    case ObjectColour::Purple:
        return "purple";
    case ObjectColour::Pink:
        return "pink";
    case ObjectColour::Brown:
        return "brown";
    case ObjectColour::Black:
        return "black";
    case ObjectColour::White:
        return "white";
    case ObjectColour::Grey:
        return "grey";
    }
    return "";
}

int Scene::countOf(int classIndex) const {
    return static_cast<int>(std::count_if(objects.begin(), objects.end(),
        [classIndex](const SceneObject& object) { return object.classIndex == classIndex; }));
}

std::vector<std::uint8_t> Scene::unionOf(std::span<const int> objectIndices) const {
    std::vector<std::uint8_t> bits(
        static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height), 0);
    for (const int index : objectIndices) {
        const auto& mask = objects.at(static_cast<std::size_t>(index)).mask;
        std::transform(bits.begin(), bits.end(), mask.begin(), bits.begin(),
            [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a | b); });
    }
    return bits;
}

} // namespace maskscope
