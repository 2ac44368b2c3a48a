// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "core/train/random_stream.h"

#include <cstdint>
#include <span>

namespace maskscope {

/// A mask seen without owning it: [height, width], 0 or not 0.
struct MaskView {
    std::span<const std::uint8_t> bits;
    int width = 0;
    int height = 0;
};

/// A positive click as a person makes it first: inside the object, more likely near its middle.
/// The mask must not be empty (else Failure(Internal)).
PointPrompt firstClick(MaskView target, RandomStream& random);

/// The click that mends most: the inner-most point of the largest connected part that is wrong,
/// positive where the object was missed and negative where something else was taken. When nothing
/// is wrong it is another click inside the object.
PointPrompt nextClick(MaskView target, MaskView predicted, RandomStream& random);

/// The target's box with every side moved by up to `jitter` of its length, at least 1 pixel, cut at
/// the frame and never empty.
BoxPrompt drawnBox(MaskView target, RandomStream& random, double jitter = 0.08);

} // namespace maskscope
