// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/class_head.h"

#include "core/model/patch_embedder.h"
#include "core/train/adamw.h"
#include "core/train/losses.h"
#include "core/train/schedule.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace maskscope {
namespace {

constexpr std::int64_t kRowsPerStep = 2048;
constexpr double kFloorOfDeviation = 0.25;

/// Stride 16, head and probabilities, as PatchEmbedder::joined() puts them.
constexpr std::array<std::int64_t, 3> kGroups{112, 1280, 1000};
static_assert(kGroups[0] + kGroups[1] + kGroups[2] == PatchEmbedder::kChannels);

std::vector<std::int64_t> shuffled(std::vector<std::int64_t> items, RandomStream& random) {
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[static_cast<std::size_t>(random.below(int(i)))]);
    return items;
}

/// Patches of one picture to keep.
std::vector<std::int64_t> chosenPatches(
    const at::Tensor& classes /*[P]*/, std::int64_t background, int count, RandomStream& random) {
    std::vector<std::int64_t> objects, rest;
    const auto* values = classes.const_data_ptr<std::int64_t>();
    for (std::int64_t p = 0; p < classes.size(0); ++p)
        (values[p] == background ? rest : objects).push_back(p);
    objects = shuffled(std::move(objects), random);
    rest = shuffled(std::move(rest), random);
    const auto wanted = static_cast<std::size_t>(count);
    const auto ofRest
        = std::min(rest.size(), wanted - std::min(objects.size(), wanted - wanted / 3));
    objects.resize(std::min(objects.size(), wanted - ofRest));
    objects.insert(objects.end(), rest.begin(), rest.begin() + std::ptrdiff_t(ofRest));
    return objects;
}

} // namespace

void PatchSamples::add(
    const Lens& lens, std::span<const Example> examples, int perPicture, RandomStream& random) {
    const at::NoGradGuard guard;
    const auto joined = PatchEmbedder::joined(lens.encode(pixelsOf(examples)));
    const auto classes = patchClassesOf(examples);
    const auto background = std::int64_t(lens.config().classes.size());
    for (std::int64_t b = 0; b < joined.size(0); ++b) {
        const auto rows
            = at::tensor(chosenPatches(classes[b], background, perPicture, random), at::kLong);
        add(joined[b].index_select(0, rows), classes[b].index_select(0, rows));
    }
}

void PatchSamples::add(const at::Tensor& channels, const at::Tensor& classes) {
    m_channels.push_back(channels.to(at::kHalf));
    m_classes.push_back(classes);
    m_count += classes.size(0);
}

at::Tensor PatchSamples::channels() const {
    return at::cat(m_channels);
}
at::Tensor PatchSamples::classes() const {
    return at::cat(m_classes);
}

ChannelStatistics statisticsOf(const at::Tensor& channels) {
    constexpr std::int64_t kRows = 4096; // float32 at a time
    auto sum = at::zeros({channels.size(1)}, at::kDouble);
    auto squares = at::zeros({channels.size(1)}, at::kDouble);
    for (std::int64_t row = 0; row < channels.size(0); row += kRows) {
        const auto part
            = channels.slice(0, row, std::min(row + kRows, channels.size(0))).to(at::kFloat);
        sum += part.sum(0).to(at::kDouble);
        squares += part.square().sum(0).to(at::kDouble);
    }
    const auto count = static_cast<double>(channels.size(0));
    const auto mean = sum / count;
    const auto deviation = (squares / count - mean.square()).clamp_min(0).sqrt();

    std::vector<at::Tensor> floored;
    std::int64_t begin = 0;
    for (const std::int64_t width : kGroups) {
        const auto group = deviation.slice(0, begin, begin + width);
        floored.push_back(at::maximum(group, (kFloorOfDeviation * group.mean()).clamp_min(1e-4)));
        begin += width;
    }
    return {mean.to(at::kFloat), at::cat(floored).to(at::kFloat)};
}

ClassHeadFit fitClassHead(const PatchSamples& samples, const ChannelStatistics& statistics,
    std::int64_t classes, int epochs, std::uint64_t seed) {
    const auto channels = samples.channels();
    const auto labels = samples.classes();
    const std::int64_t fitted = channels.size(0) - channels.size(0) / 10;
    const auto inputs = [&](const at::Tensor& rows) {
        return (rows.to(at::kFloat) - statistics.mean) / statistics.deviation;
    };

    ClassHeadFit fit;
    fit.weight = at::zeros({classes, channels.size(1)}).requires_grad_();
    fit.bias = at::zeros({classes}).requires_grad_();
    AdamW optimiser({{"weight", fit.weight, 1, 0.1}, {"bias", fit.bias, 1, 0}}, {});
    const Schedule schedule{.peak = 1e-3, .warmup = 0.05, .floor = 0.01};
    RandomStream random(seed);
    std::vector<std::int64_t> order(static_cast<std::size_t>(fitted));
    std::iota(order.begin(), order.end(), 0);
    double right = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
        order = shuffled(std::move(order), random);
        const auto rows = at::tensor(order, at::kLong);
        right = 0;
        for (std::int64_t row = 0; row < fitted; row += kRowsPerStep) {
            const auto chosen = rows.slice(0, row, std::min(row + kRowsPerStep, fitted));
            const auto wanted = labels.index_select(0, chosen);
            const auto logits
                = at::linear(inputs(channels.index_select(0, chosen)), fit.weight, fit.bias);
            classLoss(logits, wanted).backward();
            right += logits.argmax(1).eq(wanted).sum().item<double>();
            optimiser.step(schedule.at((epoch + double(row) / double(fitted)) / epochs));
        }
    }

    const at::NoGradGuard guard;
    fit.weight = fit.weight.detach();
    fit.bias = fit.bias.detach();
    fit.trainRight = right / double(fitted);
    const auto wanted = labels.slice(0, fitted);
    const auto hits
        = at::linear(inputs(channels.slice(0, fitted)), fit.weight, fit.bias).argmax(1).eq(wanted);
    const auto objects = wanted.lt(classes - 2);
    fit.heldOutRight = hits.to(at::kFloat).mean().item<double>();
    fit.heldOutObjectsRight = hits.logical_and(objects).sum().item<double>()
        / std::max(1.0, objects.sum().item<double>());
    return fit;
}

} // namespace maskscope
