// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_head.h"

#include "core/base/pieces.h"
#include "core/mask/mask_decoder.h"
#include "core/mask/per_query.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/sigmoid.h>
#include <c10/core/GradMode.h>

#include <algorithm>

namespace maskscope {

namespace {

// Channels are last in everything here: a linear layer is then a 1 x 1 convolution, and the
// convolutions take the same memory as their channels-last layout.
constexpr std::int64_t kWide = 64; ///< channels at stride 8
constexpr std::int64_t kNarrow = 32; ///< channels at stride 4

constexpr std::int64_t kMostPatches = 2048; ///< in a band: 32,768 places at stride 4
constexpr std::int64_t kLeastRows = 4; ///< of patches in a band

/// Rows of so many patches each in a band.
std::int64_t bandRows(std::int64_t patches) {
    return std::max(kLeastRows, kMostPatches / patches);
}
/// Rows of so many places at stride 4 that are joined at a time.
std::int64_t skipRows(std::int64_t places) {
    return std::max<std::int64_t>(1, 16 * kMostPatches / places);
}

at::Tensor last(const at::Tensor& x /*[N, C, H, W]*/) {
    return x.permute({0, 2, 3, 1});
}
at::Tensor second(const at::Tensor& x /*[N, H, W, C]*/) {
    return x.permute({0, 3, 1, 2});
}

/// [N, h, w, 4c] -> [N, 2h, 2w, c]
at::Tensor doubled(const at::Tensor& x) {
    const auto N = x.size(0), h = x.size(1), w = x.size(2), c = x.size(3) / 4;
    return x.view({N, h, w, 2, 2, c}).permute({0, 1, 3, 2, 4, 5}).reshape({N, 2 * h, 2 * w, c});
}

at::Tensor smooth(const Convolution& convolution, const at::Tensor& x /*[N, h, w, c]*/) {
    return at::gelu(last(convolution(second(x))));
}

} // namespace

MaskHead::MaskHead(Weights& weights, const LensConfig& config)
    : m_norm(weights, "mask.head.norm", config.mask.width)
    , m_to8(weights, "mask.head.to8", config.mask.width, 4 * kWide)
    , m_norm8(weights, "mask.head.norm8", 40)
    , m_skip8(weights, "mask.head.skip8", 40, kWide)
    , m_smooth8(weights, "mask.head.smooth8", kWide, kWide, 3)
    , m_to4(weights, "mask.head.to4", kWide, 4 * kNarrow)
    , m_norm4(weights, "mask.head.norm4", 24)
    , m_skip4(weights, "mask.head.skip4", 24 + 48, kNarrow)
    , m_prompt4(weights, "mask.head.prompt4", 4, kNarrow, Bias::Without)
    , m_modulate(weights, "mask.head.modulate", config.mask.width, 2 * kNarrow, Bias::With, 0.1)
    , m_smooth4a(weights, "mask.head.smooth4.0", kNarrow, kNarrow, 3)
    , m_smooth4b(weights, "mask.head.smooth4.1", kNarrow, kNarrow, 3)
    , m_out(weights, "mask.head.out", kNarrow, 4)
    , m_judge(weights, "mask.judge", 3 * config.mask.width, config.mask.width, 5) { }

at::Tensor MaskHead::skip8(const VisionFeatures& features) const {
    return second(m_skip8(m_norm8(last(features.stride8))));
}

at::Tensor MaskHead::skip4(const VisionFeatures& features, const std::stop_token& stop) const {
    const auto joined = [&](const at::Tensor& stride4, const at::Tensor& pixels) {
        return m_skip4(at::cat({m_norm4(last(stride4)), last(pixels)}, -1));
    };
    if (c10::GradMode::is_enabled() && m_skip4.weight.requires_grad())
        return second(joined(features.stride4, features.pixels));
    const auto B = features.stride4.size(0), h = features.stride4.size(2),
               w = features.stride4.size(3);
    const auto out = at::empty({B, h, w, kNarrow}, features.stride4.options());
    inPieces(h, skipRows(B * w), stop, [&](std::int64_t row, std::int64_t some) {
        out.narrow(1, row, some)
            .copy_(joined(
                features.stride4.narrow(2, row, some), features.pixels.narrow(2, row, some)));
    });
    return second(out);
}

void MaskHead::addSkipsPeak(PeakSum& sum, const SeenImage& seen) const {
    const auto P = seen.patches(), channels8 = m_skip8.weight.size(1),
               channels4 = m_skip4.weight.size(1), norm4 = m_norm4.weight.size(0);
    sum.pass(channels8 * 4 * P + kWide * 4 * P);
    sum.take(kWide * 4 * P + kNarrow * 16 * P);
    const auto rows = skipRows(4 * seen.gridWidth);
    sum.pass((norm4 + channels4 + kNarrow) * std::min(16 * P, rows * 4 * seen.gridWidth));
}

void MaskHead::addLogitsPeak(PeakSum& sum, const SeenImage& seen) const {
    const auto gh = seen.gridHeight, gw = seen.gridWidth, places = 64 * seen.patches();
    sum.take(places);
    inPieces(gh, bandRows(gw), {}, [&](std::int64_t row, std::int64_t some) {
        const auto n = (std::min(row + some + 1, gh) - std::max<std::int64_t>(row - 1, 0)) * gw;
        // patches, wide, at8; and at stride 4 narrow, modulated (2), smoothed (1) and smoothing (2)
        sum.pass((m_norm.weight.size(0) + 2 * 4 * kWide + 6 * 16 * kNarrow) * n);
    });
    sum.pass(2 * places);
}

at::Tensor MaskHead::logits(const at::Tensor& x, const at::Tensor& asked, const DecoderImage& image,
    const MaskQuery& query, const std::stop_token& stop) const {
    const auto N = x.size(0), gh = image.gridHeight, gw = image.gridWidth;
    if (x.requires_grad())
        return band(x, asked, image, query, 0, gh);
    auto out = at::empty({N, 1, 8 * gh, 8 * gw}, x.options());
    inPieces(gh, bandRows(N * gw), stop, [&](std::int64_t row, std::int64_t some) {
        // The three 3 x 3 convolutions reach less than one row of patches.
        const auto first = std::max<std::int64_t>(row - 1, 0), end = std::min(row + some + 1, gh);
        const auto part = band(x, asked, image, query, first, end - first);
        out.narrow(2, 8 * row, 8 * some).copy_(part.narrow(2, 8 * (row - first), 8 * some));
    });
    return out;
}

at::Tensor MaskHead::band(const at::Tensor& x, const at::Tensor& asked, const DecoderImage& image,
    const MaskQuery& query, std::int64_t row, std::int64_t some) const {
    const auto N = x.size(0), gw = image.gridWidth;
    const auto& of = query.imageOfQuery;
    const auto patches = m_norm(x.narrow(1, row * gw, some * gw));
    const auto wide = doubled(m_to8(patches).view({N, some, gw, 4 * kWide}));
    const auto skip8 = perQuery(image.skip8.narrow(2, 2 * row, 2 * some), of);
    const auto at8 = smooth(m_smooth8, wide + last(skip8));
    const auto skip4 = perQuery(image.skip4.narrow(2, 4 * row, 4 * some), of);
    const auto maps4 = query.prompts.maps4.narrow(2, 4 * row, 4 * some);
    const auto narrow = doubled(m_to4(at8)) + last(skip4) + m_prompt4(last(maps4));
    const auto film = m_modulate(asked).view({N, 1, 1, 2 * kNarrow}).chunk(2, -1);
    const auto at4 = smooth(m_smooth4b, smooth(m_smooth4a, narrow * (1 + film[0]) + film[1]));
    return second(doubled(m_out(at4)));
}

std::pair<at::Tensor, at::Tensor> MaskHead::judge(
    const at::Tensor& x, const at::Tensor& asked, const at::Tensor& logits) const {
    const auto share = at::avg_pool2d(at::sigmoid(logits.detach()), 8).flatten(2); // [N, 1, P]
    const auto inside = at::bmm(share / share.sum({2}, true).clamp_min(1e-3), x).squeeze(1);
    const auto judged = at::sigmoid(m_judge(at::cat({inside, x.mean({1}), asked}, -1)));
    return {judged.select(1, 0), judged.narrow(1, 1, 4)};
}

} // namespace maskscope
