// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/scene.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace maskscope {

/// Twice the middle in x (axis 0) or y (1) of an object's box, in pixels.
int doubleMiddle(const SceneObject& object, int axis);

/// Indices into scene.objects, by their middles from left to right.
std::vector<int> fromLeft(const Scene& scene, std::vector<int> objects);

/// Those of a class, from left to right.
std::vector<int> objectsOf(const Scene& scene, int classIndex);

/// The object whose value is the highest by at least `margin` (by `gap` of the two highest).
template <class Value, class Gap>
std::optional<int> clearlyFirst(
    std::vector<int> objects, const Value& value, double margin, const Gap& gap) {
    if (objects.size() < 2)
        return std::nullopt;
    std::ranges::stable_sort(objects, std::greater{}, value);
    if (gap(value(objects[0]), value(objects[1])) < margin)
        return std::nullopt;
    return objects[0];
}

} // namespace maskscope
