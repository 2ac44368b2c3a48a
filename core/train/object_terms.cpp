// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/object_terms.h"

#include "core/train/losses.h"
#include "core/train/object_targets.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

namespace maskscope {
namespace {

constexpr double kPatchClass = 1, kCentres = 0.5, kPlaces = 0.3, kObjectClass = 2; // weights

} // namespace

void addPatchClasses(LossSum& sum, const ImageFeatures& image, std::span<const Example> examples,
    std::int64_t background) {
    const auto classes = patchClassesOf(examples).flatten();
    const auto logits = image.classLogits.flatten(0, 1);
    sum.add(Figure::PatchClass, kPatchClass, classLoss(logits, classes));
    const auto objects = classes.lt(background);
    const auto right = logits.detach().argmax(1).eq(classes).logical_and(objects);
    const auto count = objects.sum().item<double>();
    if (count > 0)
        sum.figures.add(Figure::PatchRight, right.sum().item<double>() / count);
}

std::vector<std::vector<int>> addObjects(
    LossSum& sum, const ImageFeatures& image, std::span<const Example> examples) {
    const auto targets = objectTargets(examples);
    sum.add(Figure::Centres, kCentres, centreLoss(image.objectMaps, targets));
    sum.add(Figure::Places, kPlaces, placeLoss(image.objectMaps, targets));
    auto matched = matchObjects(image.found, examples);
    const auto M = image.found.scores.size(1);
    std::vector<std::int64_t> rows, classes;
    for (std::size_t b = 0; b < matched.size(); ++b)
        for (std::size_t i = 0; i < matched[b].size(); ++i)
            if (matched[b][i] >= 0) {
                rows.push_back(std::int64_t(b) * M + std::int64_t(i));
                classes.push_back(examples[b].scene.objects[std::size_t(matched[b][i])].classIndex);
            }
    sum.figures.add(Figure::FoundShare, double(rows.size()) / std::max(1.0, targets.count));
    if (rows.empty())
        return matched;
    const auto wanted = at::tensor(classes, at::kLong);
    const auto found = image.found.classes.flatten(0, 1).index_select(
        0, at::tensor(rows, at::kLong)); // [found, K + 2]
    sum.add(Figure::ObjectClass, kObjectClass, classLoss(at::log(found + 1e-4), wanted));
    const auto named = wanted.lt(found.size(1) - 2);
    const auto count = named.sum().item<double>();
    if (count > 0)
        sum.figures.add(Figure::ObjectRight,
            found.argmax(1).eq(wanted).logical_and(named).sum().item<double>() / count);
    return matched;
}

} // namespace maskscope
