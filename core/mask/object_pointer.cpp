// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/object_pointer.h"

#include "core/mask/per_query.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace maskscope {

namespace {

constexpr std::int64_t kWidth = 64;
constexpr float kLikely = 0.5F; ///< of several meant together
constexpr double kFitting = 0.3; ///< of the object that a prompt means
constexpr float kPossible = 0.2F; ///< of the one that is meant

/// Intersection over union of boxes given by centre and size [N, M, 4] and by corners [N, 4].
at::Tensor overlap(const at::Tensor& boxes, const at::Tensor& corners) {
    const auto centre = boxes.narrow(2, 0, 2), half = boxes.narrow(2, 2, 2) / 2;
    const auto low = corners.narrow(1, 0, 2).unsqueeze(1),
               high = corners.narrow(1, 2, 2).unsqueeze(1);
    const auto shared
        = (at::minimum(centre + half, high) - at::maximum(centre - half, low)).clamp_min(0).prod(2);
    const auto all = (4 * half.prod(2)) + (high - low).prod(2) - shared;
    return shared / all.clamp_min(1e-6);
}

constexpr double kCandidate = 0.12; ///< share of an object at a click that may mean it
constexpr std::size_t kMostOthers = 2; ///< objects beside the likeliest

/// How much of each found object lies under the clicks, [N, M]: negative ones count against it.
at::Tensor underClicks(
    const FoundObjects& found, const PromptMaps& prompts, const at::Tensor& imageOfQuery) {
    const auto clicks
        = prompts.maps16.narrow(1, 0, 2).flatten(2).to(found.maps.scalar_type()); // [N, 2, P]
    const auto shares = clicks / clicks.sum({2}, true).clamp_min(1e-6);
    const auto under
        = at::bmm(perQuery(found.maps, imageOfQuery), shares.transpose(1, 2)); // [N, M, 2]
    return under.select(2, 0) - under.select(2, 1);
}

} // namespace

ObjectPointer::ObjectPointer(Weights& weights, const LensConfig& config)
    : m_ask(weights, "mask.pointer.ask", config.language.width, kWidth)
    , m_key(weights, "mask.pointer.key", config.language.width, kWidth)
    , m_weigh(weights, "mask.pointer.weigh", 3, 1)
    , m_together(weights, "mask.pointer.together", config.language.width, 1) { }

Pointing ObjectPointer::operator()(const at::Tensor& states, const at::Tensor& stateClasses,
    const at::Tensor& scores, const at::Tensor& classes, const at::Tensor& tokens) const {
    const auto asked = m_ask(states).unsqueeze(2); // [N, kWidth, 1]
    const auto product = at::bmm(m_key(tokens), asked).squeeze(2) / std::sqrt(double(kWidth));
    const auto match = at::bmm(classes, stateClasses.unsqueeze(2)).squeeze(2); // [N, M]
    const auto evidence = at::stack({product, at::log(match + 0.01), scores}, 2);
    return {m_weigh(evidence).squeeze(2), m_together(states).squeeze(1)};
}

at::Tensor meantByWords(const Pointing& pointing, const at::Tensor& painted) {
    const auto likely = at::sigmoid(pointing.objects.detach().to(at::kFloat));
    if (pointing.together[0].item<double>() > 0)
        return likely.gt(kLikely).to(at::kFloat);
    const auto free = likely * painted.eq(0);
    const auto best = free.argmax(1, true);
    return at::zeros_like(free).scatter(1, best, 1) * free.gt(kPossible);
}

at::Tensor meantByPrompts(
    const FoundObjects& found, const PromptMaps& prompts, const at::Tensor& imageOfQuery) {
    const at::NoGradGuard guard;
    const auto boxes = prompts.boxes.to(found.maps.scalar_type()); // [N, 4]
    const auto boxed = boxes.narrow(1, 2, 2).sum({1}, true).gt(0); // [N, 1]
    const auto fits = at::where(boxed, overlap(perQuery(found.boxes, imageOfQuery), boxes),
        underClicks(found, prompts, imageOfQuery)); // [N, M]
    const auto best = fits.argmax(1, true);
    const auto meant = at::zeros_like(fits).scatter(1, best, 1);
    return meant * fits.gt(kFitting);
}

at::Tensor meaningsOfClick(const FoundObjects& found, const PromptMaps& prompts) {
    const at::NoGradGuard guard;
    const auto first = at::zeros({1}, at::kLong);
    const auto likeliest = meantByPrompts(found, prompts, first); // [1, M]
    const auto under = underClicks(found, prompts, first)[0].to(at::kFloat);
    const auto area = found.boxes[0].narrow(1, 2, 2).prod(1).to(at::kFloat);
    const auto taken = likeliest[0].to(at::kFloat);
    std::vector<std::pair<float, std::int64_t>> others; // area, number
    for (std::int64_t i = 0; i < under.size(0); ++i)
        if (under[i].item<float>() > kCandidate && taken[i].item<float>() == 0)
            others.emplace_back(area[i].item<float>(), i);
    std::ranges::sort(others);
    others.resize(std::min(others.size(), kMostOthers));
    std::vector<at::Tensor> meanings{likeliest};
    for (const auto& [size, number] : others) {
        meanings.push_back(at::zeros_like(likeliest));
        meanings.back()[0][number] = 1;
    }
    if (taken.max().item<float>() > 0)
        meanings.push_back(at::zeros_like(likeliest));
    return at::cat(meanings);
}

} // namespace maskscope
