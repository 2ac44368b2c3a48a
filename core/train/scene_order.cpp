// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/scene_order.h"

#include <cstddef>
#include <utility>

namespace maskscope {

int doubleMiddle(const SceneObject& object, int axis) {
    const auto a = static_cast<std::size_t>(axis);
    return 2 * object.bbox[a] + object.bbox[a + 2];
}

std::vector<int> fromLeft(const Scene& scene, std::vector<int> objects) {
    std::ranges::stable_sort(objects, {},
        [&](int i) { return doubleMiddle(scene.objects[static_cast<std::size_t>(i)], 0); });
    return objects;
}

std::vector<int> objectsOf(const Scene& scene, int classIndex) {
    std::vector<int> objects;
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        if (scene.objects[i].classIndex == classIndex)
            objects.push_back(static_cast<int>(i));
    return fromLeft(scene, std::move(objects));
}

} // namespace maskscope
