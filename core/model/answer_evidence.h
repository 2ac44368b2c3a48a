// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"
#include "core/model/layers.h"
#include "core/model/object_finder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace maskscope {

/// What N answers have to do with the found objects.
struct AnswerObjects {
    at::Tensor asked; ///< [N, M] how probably each is asked for, see AskedObjects
    at::Tensor now; ///< [N, M] 0 or 1: painted by the latest mask; zeros before the first
    at::Tensor ever; ///< [N, M] painted by all masks so far
};

/// The tokens that evidence is given for.
struct AnswerTokens {
    at::Tensor classes; ///< [V, K] 1 where a token names a class
    std::int64_t mask = 0; ///< <|mask|>
    std::int64_t end = 0; ///< <|end|>
};

/// Lets what an image shows speak for an answer's next token beside the language model: for words
/// of classes that are there, or asked for, and that no mask has painted, the leftmost one's above
/// all, and against those already said; for <|mask|> by whether another object like the last is
/// left; for <|end|> by whether any is; for every token by how many objects are asked for, as for
/// "no", "two", "are" and plurals. How much each counts is learnt, from the state at the token
/// before (a pointer-generator: See, Liu, Manning 2017).
class AnswerEvidence {
public:
    static constexpr std::int64_t kCounts = 10; ///< numbers told apart: 0, 1, … 8, more

    AnswerEvidence(Weights& weights, const LensConfig& config); ///< "answer.gates", "answer.counts"

    /// To be added to the logits, [N, V]. Objects that are of no known class or hardly there do not
    /// count. Carries gradients to the gates and states alone.
    at::Tensor operator()(const at::Tensor& states /*[N, C]*/, const FoundObjects& found /*of N*/,
        const AnswerObjects& objects, const AnswerTokens& tokens) const;

private:
    Linear m_gates; ///< C -> kGates
    Linear m_counts; ///< kCounts -> V
};

/// How probable each number of objects is where object m of N requests is one of them with
/// probability [N, M], independently: [N, kCounts].
at::Tensor countProbabilities(const at::Tensor& objects);

} // namespace maskscope
