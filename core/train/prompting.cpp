// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/prompting.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/upsample_bilinear2d.h>

namespace maskscope {

void addClick(PromptedObject& object, const PointPrompt& click, int width, int height) {
    object.prompt.points.push_back({click.x / width, click.y / height, click.sign});
}

void setBox(PromptedObject& object, const BoxPrompt& box, int width, int height) {
    object.prompt.box = BoxPrompt{box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height};
}

std::vector<std::vector<std::uint8_t>> bitsOf(const at::Tensor& logits, int width, int height) {
    const at::NoGradGuard guard;
    const auto bits = at::upsample_bilinear2d(
        logits.detach().to(at::kFloat), {height, width}, /*align_corners=*/false)
                          .gt(0)
                          .to(at::kByte)
                          .contiguous();
    const auto size = std::int64_t(width) * height;
    const auto* values = bits.const_data_ptr<std::uint8_t>();
    std::vector<std::vector<std::uint8_t>> masks;
    for (std::int64_t n = 0; n < bits.size(0); ++n)
        masks.emplace_back(values + n * size, values + (n + 1) * size);
    return masks;
}

void clickOnErrors(std::span<PromptedObject> objects, const at::Tensor& logits, int width,
    int height, RandomStream& random) {
    const auto predicted = bitsOf(logits, width, height);
    for (std::size_t i = 0; i < objects.size(); ++i) {
        auto& object = objects[i];
        const auto click
            = nextClick({object.target, width, height}, {predicted[i], width, height}, random);
        addClick(object, click, width, height);
        object.prompt.previous = logits[static_cast<std::int64_t>(i)][0].detach();
    }
}

PromptMaps mapsOf(
    std::span<const PromptedObject> objects, std::int64_t gridHeight, std::int64_t gridWidth) {
    std::vector<ObjectPrompt> prompts;
    for (const auto& object : objects)
        prompts.push_back(object.prompt);
    return promptMaps(prompts, gridHeight, gridWidth);
}

at::Tensor imagesOf(std::span<const PromptedObject> objects) {
    std::vector<std::int64_t> images;
    for (const auto& object : objects)
        images.push_back(object.image);
    return at::tensor(images, at::kLong);
}

} // namespace maskscope
