// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/loss_sum.h"
#include "core/train/random_stream.h"

#include <span>

namespace maskscope {

/// Adds what is asked of masks of clicks and boxes, on two objects of each picture. Clicks after
/// the first are put where the mask so far is wrong, and that mask is fed back.
void addPrompts(LossSum& sum, const Lens& lens, const ImageFeatures& image,
    std::span<const Example> examples, PictureSize picture, RandomStream& random);

} // namespace maskscope
