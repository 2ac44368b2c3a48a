// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_head.h"

#include "core/mask/mask_decoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/sigmoid.h>

namespace maskscope {

namespace {

// Channels are last in everything here: a linear layer is then a 1 x 1 convolution, and the
// convolutions take the same memory as their channels-last layout.
constexpr std::int64_t kWide = 64; ///< channels at stride 8
constexpr std::int64_t kNarrow = 32; ///< channels at stride 4

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

at::Tensor MaskHead::skip4(const VisionFeatures& features) const {
    return second(m_skip4(at::cat({m_norm4(last(features.stride4)), last(features.pixels)}, -1)));
}

at::Tensor MaskHead::logits(const at::Tensor& x, const at::Tensor& asked, const DecoderImage& image,
    const MaskQuery& query) const {
    const auto N = x.size(0), gh = image.gridHeight, gw = image.gridWidth;
    const auto& of = query.imageOfQuery;
    const auto wide = doubled(m_to8(m_norm(x)).view({N, gh, gw, 4 * kWide}));
    const auto at8 = smooth(m_smooth8, wide + last(image.skip8.index_select(0, of)));
    const auto narrow = doubled(m_to4(at8)) + last(image.skip4.index_select(0, of))
        + m_prompt4(last(query.prompts.maps4));
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
