// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/vision_encoder.h"

#include "core/base/cancelled.h"
#include "core/base/pieces.h"
#include "core/base/shape.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/pixel_unshuffle.h>
#include <ATen/ops/softmax.h>

#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace maskscope {

namespace {

enum class Activation { None, Relu6 };

struct StageShape {
    std::int64_t repeats, kernel, stride, expansion, outputs;
};

// Table 1 of the paper, as the lite variant has it; the sixth stage's stride is undone below.
constexpr std::array<StageShape, 7> kStages{{{1, 3, 1, 1, 16}, {2, 3, 2, 6, 24}, {2, 5, 2, 6, 40},
    {3, 3, 2, 6, 80}, {3, 5, 1, 6, 112}, {4, 5, 2, 6, 192}, {1, 3, 1, 6, 320}}};
constexpr std::size_t kUndoneStage = 5;

// Blocks whose output is a feature of its own.
constexpr std::size_t kStride4Block = 2;
constexpr std::size_t kStride8Block = 4;
constexpr std::size_t kStride16Block = 10;

// Note [Bands]
// The six times wider inside of a block would be the largest thing of the whole program, so large
// images go through it a band of rows at a time; each band recomputes the rows that its neighbour
// also needs.
constexpr std::int64_t kMostInner = std::int64_t(1) << 22; ///< numbers inside a block at a time
constexpr std::int64_t kLeastBand = 16; ///< input rows
constexpr std::int64_t kMostClassified
    = 2048; ///< places that go through head and classifier at a time

} // namespace

/// A convolution and its activation.
struct VisionEncoder::Unit {
    Unit(Weights& weights, const std::string& name, at::IntArrayRef shape, std::int64_t strideOf,
        std::int64_t dilationOf, std::int64_t groupsOf, Activation activationOf)
        : weight(weights.take(
            name + ".weight", shape, Init::fanIn(double(shape[1] * shape[2] * shape[3]))))
        , bias(weights.take(name + ".bias", {shape[0]}, Init::zeros()))
        , stride(strideOf)
        , dilation(dilationOf)
        , groups(groupsOf)
        , activation(activationOf) { }

    std::int64_t reach() const { return (weight.size(2) - 1) * dilation; }

    /// TensorFlow's "same": at stride 2 and even sizes the odd one of the padding is behind.
    std::int64_t before() const { return stride == 1 ? reach() / 2 : (reach() - 1) / 2; }
    std::int64_t after() const { return reach() - before() - (stride - 1); }

    at::Tensor operator()(const at::Tensor& x) const { return rows(x, before(), after()); }

    /// Of some rows of an image, with `above` and `below` rows of zeros.
    at::Tensor rows(const at::Tensor& x, std::int64_t above, std::int64_t below) const {
        at::Tensor y;
        if (above == below && before() == after())
            y = at::conv2d(
                x, weight, bias, stride, at::IntArrayRef{above, before()}, dilation, groups);
        else
            y = at::conv2d(at::constant_pad_nd(x, {before(), after(), above, below}), weight, bias,
                stride, at::IntArrayRef{0, 0}, dilation, groups);
        return activation == Activation::Relu6 ? at::hardtanh_(y, 0, 6) : y;
    }

    /// Numbers of the padded copy that rows() makes.
    std::int64_t padded(std::int64_t channels, std::int64_t count, std::int64_t width,
        std::int64_t above, std::int64_t below) const {
        if (above == below && before() == after())
            return 0;
        return channels * (above + count + below) * (before() + width + after());
    }

    /// Rows of the input, and of zeros around it, that rows row .. row + some of the result need.
    struct Support {
        std::int64_t top, count, above, below;
    };
    Support support(std::int64_t row, std::int64_t some, std::int64_t height) const {
        const auto first = row * stride - before();
        const auto end = (row + some - 1) * stride - before() + reach() + 1;
        const auto top = std::max<std::int64_t>(first, 0), bottom = std::min(end, height);
        return {top, bottom - top, top - first, end - bottom};
    }

    at::Tensor weight; ///< [out, in / groups, k, k]
    at::Tensor bias; ///< [out]
    std::int64_t stride, dilation, groups;
    Activation activation;
};

/// Inverted residual (Sandler et al. 2018).
struct VisionEncoder::Block {
    std::optional<Unit> expand;
    Unit depthwise;
    Unit project;
    bool skip;

    at::Tensor operator()(const at::Tensor& x, const std::stop_token& stop) const {
        const auto most = rowsAtATime(x.size(0) * x.size(3));
        const auto height = x.size(2) / depthwise.stride;
        const bool gradients
            = c10::GradMode::is_enabled() && (x.requires_grad() || project.weight.requires_grad());
        if (gradients || most >= x.size(2))
            return rows(x, 0, height);
        const auto shape
            = {x.size(0), project.weight.size(0), height, x.size(3) / depthwise.stride};
        auto out = at::empty(shape, x.options(), at::MemoryFormat::ChannelsLast);
        inPieces(height, most / depthwise.stride, stop, [&](std::int64_t row, std::int64_t some) {
            out.narrow(2, row, some).copy_(rows(x, row, some));
        });
        return out;
    }

    /// Of an input whose rows have this many places.
    std::int64_t rowsAtATime(std::int64_t places) const {
        return std::max(kLeastBand, kMostInner / (depthwise.weight.size(0) * places));
    }

    void addPeak(PeakSum& sum, std::int64_t height, std::int64_t width) const {
        const auto inner = depthwise.weight.size(0), stride = depthwise.stride;
        const auto rows = height / stride, places = width / stride;
        const auto output = project.weight.size(0) * places; // numbers in a row
        const auto most = rowsAtATime(width);
        const bool whole = most >= height;
        if (!whole)
            sum.take(output * rows);
        inPieces(rows, whole ? rows : most / stride, {}, [&](std::int64_t row, std::int64_t some) {
            const auto needed = depthwise.support(row, some, height);
            const auto expanded = expand ? inner * needed.count * width : 0;
            const auto padded
                = depthwise.padded(inner, needed.count, width, needed.above, needed.below);
            const auto mixed = inner * some * places;
            sum.pass(expanded + std::max(padded + mixed, mixed + output * some));
            if (skip)
                sum.pass(2 * output * some);
        });
        if (whole)
            sum.take(output * rows);
    }

    /// Rows row .. row + some of the block's result, from the rows of x that they depend on.
    at::Tensor rows(const at::Tensor& x, std::int64_t row, std::int64_t some) const {
        const auto needed = depthwise.support(row, some, x.size(2));
        const auto seen = x.narrow(2, needed.top, needed.count);
        const auto y
            = project(depthwise.rows(expand ? (*expand)(seen) : seen, needed.above, needed.below));
        return skip ? x.narrow(2, row, some) + y : y;
    }
};

VisionEncoder::VisionEncoder(Weights& weights) {
    const std::string root = "vision.encoder.";
    m_units.emplace_back(
        weights, root + "stem", at::IntArrayRef{32, 3, 3, 3}, 2, 1, 1, Activation::Relu6);
    std::int64_t inputs = 32;
    std::int64_t dilation = 1;
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
        const auto& shape = kStages[stage];
        for (std::int64_t repeat = 0; repeat < shape.repeats; ++repeat) {
            const auto name = root + "blocks." + std::to_string(m_blocks.size()) + ".";
            const auto inner = inputs * shape.expansion;
            const bool undo = stage == kUndoneStage && repeat == 0;
            const auto stride = repeat == 0 && !undo ? shape.stride : 1;
            std::optional<Unit> expand;
            if (shape.expansion != 1)
                expand.emplace(weights, name + "expand", at::IntArrayRef{inner, inputs, 1, 1}, 1, 1,
                    1, Activation::Relu6);
            Unit depthwise(weights, name + "depthwise",
                at::IntArrayRef{inner, 1, shape.kernel, shape.kernel}, stride, dilation, inner,
                Activation::Relu6);
            Unit project(weights, name + "project", at::IntArrayRef{shape.outputs, inner, 1, 1}, 1,
                1, 1, Activation::None);
            m_blocks.push_back({std::move(expand), std::move(depthwise), std::move(project),
                stride == 1 && inputs == shape.outputs});
            inputs = shape.outputs;
            if (undo)
                dilation = 2;
        }
    }
    m_units.emplace_back(
        weights, root + "head", at::IntArrayRef{1280, inputs, 1, 1}, 1, 1, 1, Activation::Relu6);
    m_classifierWeight = weights.take(root + "classifier.weight", {1000, 1280}, Init::fanIn(1280));
    m_classifierBias = weights.take(root + "classifier.bias", {1000}, Init::zeros());
}

VisionEncoder::~VisionEncoder() = default;
VisionEncoder::VisionEncoder(VisionEncoder&&) noexcept = default;

VisionFeatures VisionEncoder::forward(const at::Tensor& pixels, const std::stop_token& stop) const {
    const auto height = pixels.size(2), width = pixels.size(3);
    expectShape(pixels, {kAny, 3, height / 32 * 32, width / 32 * 32}, "pixels");
    VisionFeatures features;
    features.gridHeight = height / 16;
    features.gridWidth = width / 16;
    features.pixels = folded(pixels, stop);
    auto x = stem(pixels, stop);
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        throwIfStopped(stop);
        x = m_blocks[i](x, stop);
        if (i == kStride4Block)
            features.stride4 = x;
        else if (i == kStride8Block)
            features.stride8 = x;
        else if (i == kStride16Block)
            features.stride16 = x;
    }
    classify(x, features, stop);
    return features;
}

at::Tensor VisionEncoder::folded(const at::Tensor& pixels, const std::stop_token& stop) {
    constexpr std::int64_t kFold = 4;
    const auto B = pixels.size(0), h = pixels.size(2) / kFold, w = pixels.size(3) / kFold;
    auto out = at::empty({B, 3 * kFold * kFold, h, w}, pixels.options());
    inPieces(h, std::max(kLeastBand, kMostInner / (B * 3 * kFold * kFold * w)), stop,
        [&](std::int64_t row, std::int64_t some) {
            out.narrow(2, row, some)
                .copy_(at::pixel_unshuffle(pixels.narrow(2, kFold * row, kFold * some), kFold));
        });
    return out;
}

at::Tensor VisionEncoder::stem(const at::Tensor& pixels, const std::stop_token& stop) const {
    const auto& unit = m_units.front();
    const auto B = pixels.size(0), h = pixels.size(2) / 2, w = pixels.size(3) / 2;
    const auto channels = unit.weight.size(0);
    const auto most = std::max(kLeastBand, kMostInner / (B * channels * w));
    // Twice as fast as the default layout.
    const auto layout = at::MemoryFormat::ChannelsLast;
    const bool gradients
        = c10::GradMode::is_enabled() && (pixels.requires_grad() || unit.weight.requires_grad());
    if (gradients || most >= h)
        return unit(pixels.contiguous(layout));
    auto out = at::empty({B, channels, h, w}, pixels.options(), layout);
    inPieces(h, most, stop, [&](std::int64_t row, std::int64_t some) {
        const auto needed = unit.support(row, some, pixels.size(2));
        const auto seen = pixels.narrow(2, needed.top, needed.count).contiguous(layout);
        out.narrow(2, row, some).copy_(unit.rows(seen, needed.above, needed.below));
    });
    return out;
}

void VisionEncoder::classify(
    const at::Tensor& x, VisionFeatures& features, const std::stop_token& stop) const {
    const auto piece = [&](const at::Tensor& rows) {
        const auto head = m_units.back()(rows);
        const auto logits
            = at::linear(head.permute({0, 2, 3, 1}), m_classifierWeight, m_classifierBias);
        return std::pair(head, at::softmax(logits, -1).permute({0, 3, 1, 2}));
    };
    if (c10::GradMode::is_enabled() && (x.requires_grad() || m_classifierWeight.requires_grad())) {
        std::tie(features.head, features.probabilities) = piece(x);
        return;
    }
    const auto B = x.size(0), h = x.size(2), w = x.size(3);
    const auto map = [&](std::int64_t channels) {
        return at::empty({B, channels, h, w}, x.options(), at::MemoryFormat::ChannelsLast);
    };
    features.head = map(m_classifierWeight.size(1));
    features.probabilities = map(m_classifierWeight.size(0));
    const auto rows = std::max<std::int64_t>(1, kMostClassified / (B * w));
    inPieces(h, rows, stop, [&](std::int64_t row, std::int64_t some) {
        const auto [head, probabilities] = piece(x.narrow(2, row, some));
        features.head.narrow(2, row, some).copy_(head);
        features.probabilities.narrow(2, row, some).copy_(probabilities);
    });
}

void VisionEncoder::addPeak(PeakSum& sum, const SeenImage& seen) const {
    auto height = 16 * seen.gridHeight, width = 16 * seen.gridWidth;
    sum.take(3 * height * width); // folded
    const auto& stem = m_units.front();
    const auto channels = stem.weight.size(0);
    const auto rows = std::max(kLeastBand, kMostInner / (channels * width / 2));
    const bool whole = rows >= height / 2;
    auto held = channels * height * width / 4; // x
    if (whole)
        sum.pass(held + stem.padded(3, height, width, stem.before(), stem.after()));
    sum.take(held);
    if (!whole)
        sum.pass(
            stem.padded(3, 2 * rows + stem.reach() - 1, width, 0, 0) + channels * rows * width / 2);
    height /= 2;
    width /= 2;
    for (std::size_t i = 0; i < m_blocks.size(); ++i) {
        const Block& block = m_blocks[i];
        block.addPeak(sum, height, width);
        height /= block.depthwise.stride;
        width /= block.depthwise.stride;
        sum.give(held);
        const bool stays = i == kStride4Block || i == kStride8Block || i == kStride16Block;
        held = stays ? 0 : block.project.weight.size(0) * height * width;
    }
    const auto head = m_classifierWeight.size(1), classes = m_classifierWeight.size(0);
    const auto piece = std::max<std::int64_t>(1, kMostClassified / width);
    sum.take((head + classes) * height * width);
    sum.pass((head + 2 * classes) * std::min(piece, height) * width);
    sum.give(held);
}

} // namespace maskscope
