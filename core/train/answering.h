// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/generate/generator.h"
#include "core/generate/unknown_word.h"
#include "core/model/lens.h"

#include <cstdint>
#include <vector>

namespace maskscope {

/// A greedily generated answer.
struct GreedyAnswer {
    std::vector<std::int64_t> tokens; ///< without <|end|>
    at::Tensor states; ///< [N, C] of its <|mask|> tokens, in order; undefined without any
    at::Tensor meant; ///< [N, M] the found objects that each paints, see meantByWords
};

/// What comes before an answer.
struct AskedWords {
    std::vector<std::int64_t> prompt; ///< tokens
    UnknownWord unknown; ///< of the request
};

/// Answers to several requests about one image (B = 1), which is read once.
std::vector<GreedyAnswer> greedyAnswers(const Lens& lens, const ImageFeatures& image,
    const std::vector<AskedWords>& asked, const Tokenizer& tokenizer, Generator::Tokens special,
    int mostTokens = 256);

} // namespace maskscope
