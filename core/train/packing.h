// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

/// A request and its answer as tokens.
struct RequestTokens {
    std::vector<std::int64_t> prompt; ///< <|user|> words <|assistant|>
    std::vector<std::int64_t> answer; ///< the answer and <|end|>
};

/// All requests of a batch of images in one sequence per image: the image's M tokens once, then
/// every request with its answer. A request sees the image's tokens and itself, and its positions
/// go on from the image's, so that each has exactly the states it would have alone, at half the
/// cost.
struct PackedRequests {
    at::Tensor ids; ///< [B, T] int64, behind the image's tokens
    at::Tensor words; ///< [B, T] bool: tokens of prompts
    at::Tensor positions; ///< [B, M + T] int64
    at::Tensor mask; ///< [B, 1, M + T, M + T] additive, 0 or -inf; padding sees only itself
    at::Tensor promptRows; ///< [R] int64: rows of the last tokens of prompts
    at::Tensor imageOfPrompt; ///< [R] int64
    at::Tensor
        answerRows; ///< [A] int64: rows of hidden states [B * (M + T)] before an answer's token
    at::Tensor answerTokens; ///< [A] int64: the tokens that follow them
    at::Tensor maskRows; ///< [N] int64: rows whose input was `maskToken` in an answer
    at::Tensor imageOfMask; ///< [N] int64
};

/// Masks come in the order of images, requests and answers.
PackedRequests packRequests(std::span<const std::vector<RequestTokens>> requestsOfImage,
    std::int64_t imageTokens /*M*/, std::int64_t maskToken);

} // namespace maskscope
