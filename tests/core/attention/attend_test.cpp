// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attend.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>

namespace maskscope {
namespace {

const std::string kFolder = MASKSCOPE_TEST_DATA "/cases/attention/";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// One situation of tests/cases/attention; values from float64 arithmetic.
struct Case {
    at::Tensor q, k, v, out;
    at::Tensor mask; ///< additive or undefined
    double tolerance;
};

Case caseOf(const std::string& name) {
    static const test::StoredTensors stored(kFolder + "attention.safetensors");
    static const auto expected = [] {
        std::ifstream stream(kFolder + "expected.json");
        return nlohmann::json::parse(stream);
    }();
    Case c{stored[name + "/q"], stored[name + "/k"], stored[name + "/v"], stored[name + "/out"], {},
        expected.at(name).at("tol_abs").get<double>()};
    if (stored.has(name + "/keep")) {
        const auto keep = stored[name + "/keep"];
        c.mask = at::zeros(keep.sizes()).masked_fill(keep == 0, -kInfinity);
    }
    return c;
}

/// log sum exp of the scores, in float64.
at::Tensor exactLse(const Case& c) {
    const auto H = c.q.size(1), Hk = c.k.size(1);
    const auto k = c.k.to(at::kDouble).repeat_interleave(H / Hk, 1);
    auto scores
        = at::matmul(c.q.to(at::kDouble), k.transpose(2, 3)) / std::sqrt(double(c.q.size(3)));
    if (c.mask.defined())
        scores = scores + c.mask.to(at::kDouble);
    return at::logsumexp(scores, {3});
}

at::Tensor otherLayout(const at::Tensor& x) {
    return x.transpose(1, 2).contiguous().transpose(1, 2);
}

class Attend : public testing::TestWithParam<const char*> { };

} // namespace

TEST_P(Attend, GivesTheReferenceOnEveryKernelAndLayout) {
    const auto c = caseOf(GetParam());
    const c10::NoGradGuard inference;
    EXPECT_LE(test::difference(attend(c.q, c.k, c.v, c.mask), c.out), c.tolerance);
    EXPECT_LE(test::difference(attendWithLse(c.q, c.k, c.v, c.mask).out, c.out), c.tolerance);
    const auto q = otherLayout(c.q), k = otherLayout(c.k), v = otherLayout(c.v);
    EXPECT_LE(test::difference(attend(q, k, v, c.mask), c.out), c.tolerance);
    EXPECT_LE(test::difference(attendWithLse(q, k, v, c.mask).out, c.out), c.tolerance);
}

TEST_P(Attend, GivesTheReferenceWithGradients) {
    const auto c = caseOf(GetParam());
    const auto q = c.q.clone().requires_grad_(true);
    const auto out = attend(q, c.k, c.v, c.mask);
    EXPECT_LE(test::difference(out.detach(), c.out), c.tolerance);
    out.sum().backward();
    EXPECT_TRUE(q.grad().isfinite().all().item<bool>());
}

TEST_P(Attend, GivesTheLogSumExp) {
    const auto c = caseOf(GetParam());
    const auto lse = attendWithLse(c.q, c.k, c.v, c.mask).lse.to(at::kDouble);
    const auto exact = exactLse(c);
    const auto none = at::isneginf(exact);
    EXPECT_TRUE(at::equal(at::isneginf(lse), none));
    EXPECT_LE(test::difference(lse.masked_fill(none, 0), exact.masked_fill(none, 0)),
        1e-5 * std::max(1.0, exact.masked_fill(none, 0).abs().max().item<double>()));
}

INSTANTIATE_TEST_SUITE_P(Cases, Attend,
    testing::Values("plain", "one_token", "dead_rows", "all_dead", "padding_keys",
        "nan_in_masked_v", "causal_square", "causal_with_cache", "decode_one", "gqa_9_3",
        "big_logits", "lse_extreme", "odd_13", "head_dim_24"),
    [](const auto& instance) { return std::string(instance.param); });

TEST(AttendToNothing, GivesZerosAndNoMass) {
    const auto q = at::randn({1, 2, 3, 8}), none = at::randn({1, 2, 0, 8});
    EXPECT_TRUE(at::equal(attend(q, none, none, {}), at::zeros_like(q)));
    const auto [out, lse] = attendWithLse(q, none, none, {});
    EXPECT_TRUE(at::equal(out, at::zeros_like(q)));
    EXPECT_TRUE(at::equal(lse, at::full({1, 2, 3}, -kInfinity)));
}

TEST(CausalMask, IsAlignedWithTheLastToken) {
    const auto mask = causalMask(2, 4, at::TensorOptions(at::kFloat));
    const auto hidden = at::tensor({0, 0, 0, 1, 0, 0, 0, 0}).view({1, 1, 2, 4}).to(at::kBool);
    EXPECT_TRUE(at::equal(at::isneginf(mask), hidden));
}

} // namespace maskscope
