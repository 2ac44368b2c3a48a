// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/loss_sum.h"

#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// Adds what is asked of the patches' classes. background: its class index.
void addPatchClasses(LossSum& sum, const ImageFeatures& image, std::span<const Example> examples,
    std::int64_t background);

/// Adds what is asked of the objects that are found. Gives for each found object of each picture
/// the scene's, or −1.
std::vector<std::vector<int>> addObjects(
    LossSum& sum, const ImageFeatures& image, std::span<const Example> examples);

} // namespace maskscope
