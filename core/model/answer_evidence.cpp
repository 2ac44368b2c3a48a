// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/answer_evidence.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/log.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>

namespace maskscope {

namespace {

constexpr double kThere = 0.35; ///< score of an object that an answer should not leave out
constexpr double kUnnamed = 0.5; ///< share of unknown and background in an object without a class
constexpr double kDoubt = 0.02; ///< what little evidence counts as none

constexpr std::int64_t kClassGates = 3, kTokenGates = 2; ///< of <|mask|> and <|end|> each
constexpr std::int64_t kGates = kClassGates + 2 * kTokenGates;

/// 0 for none, 1 for certainty.
at::Tensor weightOf(const at::Tensor& share) {
    return at::log(share / kDoubt + 1) / std::log(1 / kDoubt + 1);
}

struct Evidence {
    at::Tensor classes; ///< [N, kClassGates, K] left, leftmost of what is left, said
    at::Tensor mask; ///< [N, kTokenGates] whether there is another like the last, and 1
    at::Tensor end; ///< [N, kTokenGates] whether anything is left, and 1
};

Evidence evidenceOf(const FoundObjects& found, const PaintedObjects& painted, std::int64_t K) {
    const at::NoGradGuard guard;
    const auto unnamed = found.classes.narrow(2, K, 2).sum({2}); // [N, M]
    const auto known = found.scores.gt(kThere).logical_and(unnamed.lt(kUnnamed));
    const auto type = found.classes.scalar_type();
    const auto named = found.classes.narrow(2, 0, K); // [N, M, K]
    const auto left = known.logical_and(painted.ever.eq(0)).to(type); // [N, M]
    const auto next = left * left.cumsum(1).eq(1); // objects go from left to right
    const auto now = painted.now.to(type) / painted.now.to(type).sum({1}, true).clamp_min(1);
    const auto last = at::bmm(now.unsqueeze(1), named); // [N, 1, K]
    const auto alike = at::bmm(named, last.transpose(1, 2)).squeeze(2); // [N, M]
    const auto most = [&](const at::Tensor& objects /*[N, M]*/) {
        return (named * objects.unsqueeze(2)).amax({1}); // [N, K]
    };
    const auto withOne = [](const at::Tensor& share /*[N, 1]*/) {
        return at::cat({weightOf(share), at::ones_like(share)}, 1);
    };
    const auto scored = left * found.scores;
    return {at::stack({weightOf(most(scored)), most(next), most(painted.ever.to(type))}, 1),
        withOne((scored * alike).amax({1}, true)), withOne(scored.amax({1}, true))};
}

} // namespace

AnswerEvidence::AnswerEvidence(Weights& weights, const LensConfig& config)
    : m_gates(weights, "answer.gates", config.language.width, kGates, Bias::With, 0.01) { }

at::Tensor AnswerEvidence::operator()(const at::Tensor& states, const FoundObjects& found,
    const PaintedObjects& painted, const AnswerTokens& tokens) const {
    const auto evidence = evidenceOf(found, painted, tokens.classes.size(1));
    const auto gates = m_gates(states); // [N, kGates]
    const auto classes
        = at::bmm(gates.narrow(1, 0, kClassGates).unsqueeze(1), evidence.classes).squeeze(1);
    auto logits = at::matmul(classes, tokens.classes.t()); // [N, V]
    const auto add = [&](std::int64_t token, std::int64_t gate, const at::Tensor& weights) {
        logits.select(1, token).add_((gates.narrow(1, gate, kTokenGates) * weights).sum({1}));
    };
    add(tokens.mask, kClassGates, evidence.mask);
    add(tokens.end, kClassGates + kTokenGates, evidence.end);
    return logits;
}

} // namespace maskscope
