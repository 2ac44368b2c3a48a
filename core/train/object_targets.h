// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/object_finder.h"
#include "core/train/example.h"

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

namespace maskscope {

/// What ObjectMaps should be.
struct ObjectTargets {
    at::Tensor centres; ///< [B, 2gh, 2gw] 1 at centres, falling off around them
    at::Tensor votes; ///< [B, P, 2]
    at::Tensor sizes; ///< [B, P, 2]
    at::Tensor weights; ///< [B, P] 1 for patches of an object
    double count = 0; ///< objects of the batch
};

ObjectTargets objectTargets(std::span<const Example> examples);

/// The focal loss of CenterNet (Zhou et al. 2019), over the number of objects.
at::Tensor centreLoss(const ObjectMaps& maps, const ObjectTargets& targets);

/// Absolute errors of votes and sizes over the patches of objects.
at::Tensor placeLoss(const ObjectMaps& maps, const ObjectTargets& targets);

/// For each found object of each picture the scene's object whose box it has, −1 for none.
std::vector<std::vector<int>> matchObjects(
    const FoundObjects& found, std::span<const Example> examples);

} // namespace maskscope
