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
constexpr double kAsked = 0.5; ///< how probable it is of an object that comes next
constexpr double kDoubt = 0.02; ///< what little evidence counts as none

constexpr std::int64_t kClassGates = 5, kTokenGates = 3; ///< of <|mask|> and <|end|> each
constexpr std::int64_t kGates = kClassGates + 2 * kTokenGates + 1;

/// 0 for none, 1 for certainty.
at::Tensor weightOf(const at::Tensor& share) {
    return at::log(share / kDoubt + 1) / std::log(1 / kDoubt + 1);
}

struct Evidence {
    at::Tensor classes; ///< [N, kClassGates, K] left, leftmost, said, left and leftmost of asked
    at::Tensor mask; ///< [N, kTokenGates] another like the last, one that is asked for too, and 1
    at::Tensor end; ///< [N, kTokenGates] whether any is left, or any asked for, and 1
    at::Tensor counts; ///< [N, kCounts] how many are asked for
};

Evidence evidenceOf(const FoundObjects& found, const AnswerObjects& objects, std::int64_t K) {
    const at::NoGradGuard guard;
    const auto type = found.classes.scalar_type();
    const auto unnamed = found.classes.narrow(2, K, 2).sum({2}); // [N, M]
    const auto known = found.scores.gt(kThere).logical_and(unnamed.lt(kUnnamed)).to(type);
    const auto named = found.classes.narrow(2, 0, K); // [N, M, K]
    const auto asked = objects.asked.to(type) * known; // [N, M]
    const auto left = known * objects.ever.eq(0); // [N, M]
    const auto most = [&](const at::Tensor& of /*[N, M]*/) {
        return weightOf((named * of.unsqueeze(2)).amax({1})); // [N, K]
    };
    const auto first = [](const at::Tensor& of /*[N, M] 0 or 1*/) {
        return of * of.cumsum(1).eq(1); // objects go from left to right
    };
    const auto any = [](const at::Tensor& of) { return weightOf(of.amax({1})); }; // [N]
    const auto now = objects.now.to(type) / objects.now.to(type).sum({1}, true).clamp_min(1);
    const auto last = at::bmm(now.unsqueeze(1), named); // [N, 1, K]
    const auto alike = at::bmm(named, last.transpose(1, 2)).squeeze(2); // [N, M]
    const auto scored = left * found.scores, wanted = left * asked;
    const auto one = at::ones_like(wanted.select(1, 0));
    return {at::stack({most(scored), most(first(left)), most(objects.ever.to(type)), most(wanted),
                          most(first(left * asked.gt(kAsked)))},
                1),
        at::stack({any(scored * alike), any(wanted * alike), one}, 1),
        at::stack({any(scored), any(wanted), one}, 1), weightOf(countProbabilities(asked))};
}

} // namespace

at::Tensor countProbabilities(const at::Tensor& objects) {
    auto counts = at::zeros({objects.size(0), AnswerEvidence::kCounts}, objects.options());
    counts.select(1, 0).fill_(1);
    constexpr auto kLast = AnswerEvidence::kCounts - 1;
    for (std::int64_t m = 0; m < objects.size(1); ++m) {
        const auto share = objects.narrow(1, m, 1); // [N, 1]
        const auto moved = counts * share;
        counts = counts - moved;
        counts.narrow(1, 1, kLast).add_(moved.narrow(1, 0, kLast));
        counts.select(1, kLast).add_(moved.select(1, kLast)); // more stay more
    }
    return counts;
}

AnswerEvidence::AnswerEvidence(Weights& weights, const LensConfig& config)
    : m_gates(weights, "answer.gates", config.language.width, kGates, Bias::With, 0.01)
    , m_counts(weights, "answer.counts", kCounts, config.language.vocabulary, Bias::Without, 0.01) {
}

at::Tensor AnswerEvidence::operator()(const at::Tensor& states, const FoundObjects& found,
    const AnswerObjects& objects, const AnswerTokens& tokens) const {
    const auto evidence = evidenceOf(found, objects, tokens.classes.size(1));
    const auto gates = m_gates(states); // [N, kGates]
    const auto classes
        = at::bmm(gates.narrow(1, 0, kClassGates).unsqueeze(1), evidence.classes).squeeze(1);
    auto logits = at::matmul(classes, tokens.classes.t()); // [N, V]
    logits = logits + gates.narrow(1, kGates - 1, 1) * m_counts(evidence.counts);
    const auto add = [&](std::int64_t token, std::int64_t gate, const at::Tensor& weights) {
        logits.select(1, token).add_((gates.narrow(1, gate, kTokenGates) * weights).sum({1}));
    };
    add(tokens.mask, kClassGates, evidence.mask);
    add(tokens.end, kClassGates + kTokenGates, evidence.end);
    return logits;
}

} // namespace maskscope
