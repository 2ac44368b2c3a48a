// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/prompt_maps.h"
#include "core/train/click_simulator.h"
#include "core/train/random_stream.h"
#include "core/train/scene.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// An object that is segmented by clicks or a box, with the prompts made so far.
struct PromptedObject {
    std::int64_t image = 0; ///< its place in the batch
    std::vector<std::uint8_t> target; ///< [height, width] 0/1
    ObjectPrompt prompt; ///< in shares of the picture
};

/// Adds a click, given in pixels.
void addClick(PromptedObject& object, const PointPrompt& click, int width, int height);

/// Sets the box, given in pixels.
void setBox(PromptedObject& object, const BoxPrompt& box, int width, int height);

/// Mask logits [N, 1, h, w] thresholded at the picture's size: N masks of 0/1.
std::vector<std::vector<std::uint8_t>> bitsOf(const at::Tensor& logits, int width, int height);

/// Puts the next click of each object where the logits are wrong, and makes them its previous mask.
void clickOnErrors(std::span<PromptedObject> objects, const at::Tensor& logits /*[N, 1, h, w]*/,
    int width, int height, RandomStream& random);

/// The prompts as maps, and [N] the image of each.
PromptMaps mapsOf(
    std::span<const PromptedObject> objects, std::int64_t gridHeight, std::int64_t gridWidth);
at::Tensor imagesOf(std::span<const PromptedObject> objects);

} // namespace maskscope
