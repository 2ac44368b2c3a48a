// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace maskscope {

/// What the language model is told about a picture as a whole: one token with every class's
/// presence, and a token for each of the most probable classes, which is the class's word plus
/// where it is, how much of it, and in how many pieces. The words of a request that name a class
/// carry the same facts, so that the answer can depend on what is there: left to find them by
/// attention, a small model copies the request instead.
class SceneTokens {
public:
    static constexpr std::int64_t kClassTokens = 8; ///< fewer if the model has fewer classes

    SceneTokens(Weights& weights, const LensConfig& config); ///< parameters "projector.*"

    /// Facts (see factsOf) of every class of probabilities [B, P, K + 2]: [B, K, 8].
    at::Tensor facts(
        const at::Tensor& probabilities, std::int64_t gridHeight, std::int64_t gridWidth) const;

    /// words [K + 2, C]. Gives [B, 1 + kClassTokens, C]; the classes from left to right.
    at::Tensor forward(const at::Tensor& probabilities /*[B, P, K + 2]*/,
        const at::Tensor& facts /*[B, K, 8]*/, const at::Tensor& words) const;

    /// Which class each embedded token [..., C] names; the last column: none. [..., K + 1]
    at::Tensor nameLogits(const at::Tensor& embedded) const;

    /// The words of a request [B, T, C], each with the facts of the class it names added.
    at::Tensor told(const at::Tensor& embedded, const at::Tensor& facts /*[B, K, 8]*/) const;

private:
    std::int64_t m_classes; ///< K
    Linear m_scene; ///< 2 (K + 2) -> C
    Linear m_found; ///< facts of a class -> C
    Linear m_names; ///< C -> K + 1
    Linear m_told; ///< facts of a named class and 1 -> C
};

/// Facts of probability maps: the highest probability, the root of the covered share, two
/// estimates of the number of connected pieces, mean x and y, and spread in x and y; all about
/// 0..1 at any size. The pieces are counted by the Euler characteristic: places minus neighbouring
/// pairs plus squares of four, of the probabilities themselves and of those above one third.
at::Tensor factsOf(const at::Tensor& maps /*[..., gh, gw]*/); ///< [..., 8]

} // namespace maskscope
