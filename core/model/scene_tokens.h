// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/object_finder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace maskscope {

/// What the language model is told about a picture: one token with every class's presence, and a
/// token for each object that was found: the words of its class, where it is, how large, of which
/// colour, and what its patches are. The words of a request that name a class carry facts about
/// it, so that the answer can depend on what is there: left to find them by attention, a small
/// model copies the request instead.
class SceneTokens {
public:
    SceneTokens(Weights& weights, const LensConfig& config); ///< parameters "projector.*"

    /// Of every class: factsOf its probabilities [B, P, K + 2], and of the found objects the
    /// expected number (five are 1) and the best score. [B, K, 10]
    at::Tensor facts(const at::Tensor& probabilities, const FoundObjects& found,
        std::int64_t gridHeight, std::int64_t gridWidth) const;

    /// [B, 1, C]
    at::Tensor scene(const at::Tensor& probabilities /*[B, P, K + 2]*/) const;

    /// One token for each object, one and the same where there is none: [B, M, C].
    at::Tensor objects(const FoundObjects& found, const at::Tensor& patches /*[B, P, C]*/,
        const at::Tensor& colours /*[B, P, 3]*/, const at::Tensor& words /*[K + 2, C]*/) const;

    /// Which class each embedded token [..., C] names; the last column: none. [..., K + 1]
    at::Tensor nameLogits(const at::Tensor& embedded) const;

    /// The words of a request [B, T, C], each with the facts of the class it names added.
    at::Tensor told(const at::Tensor& embedded, const at::Tensor& facts /*[B, K, 10]*/) const;

private:
    std::int64_t m_classes; ///< K
    Linear m_scene; ///< 2 (K + 2) -> C
    Linear m_place; ///< kTraits of an object -> C
    Linear m_look; ///< C -> C, of an object's patches
    at::Tensor m_nothing; ///< [C] the token of no object
    Linear m_names; ///< C -> K + 1
    Linear m_told; ///< facts of a named class and 1 -> C
};

/// Facts of probability maps: the highest probability, the root of the covered share, two
/// estimates of the number of connected pieces, mean x and y, and spread in x and y; all about
/// 0..1 at any size. The pieces are counted by the Euler characteristic: places minus neighbouring
/// pairs plus squares of four, of the probabilities themselves and of those above one third.
at::Tensor factsOf(const at::Tensor& maps /*[..., gh, gw]*/); ///< [..., 8]

} // namespace maskscope
