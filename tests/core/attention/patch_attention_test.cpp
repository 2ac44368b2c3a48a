// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/patch_attention.h"
#include "core/base/cancelled.h"
#include "core/ring/thread_ranks.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace maskscope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const AttentionPath kPaths[]
    = {AttentionPath::Mha, AttentionPath::Sdpa, AttentionPath::Flash, AttentionPath::Ring};

std::string nameOfPath(const testing::TestParamInfo<AttentionPath>& info) {
    return std::string(nameOf(info.param));
}

at::Tensor paddingOf(const at::Tensor& hidden) {
    return at::zeros(hidden.sizes()).masked_fill(hidden, -kInfinity);
}

/// torch.nn.MultiheadAttention's weights and results (tests/golden/patch_attention.py).
struct Golden {
    test::StoredTensors stored{MASKSCOPE_TEST_DATA "/golden/patch_attention.safetensors"};
    Weights weights = Weights::forTraining(
        {MASKSCOPE_TEST_DATA "/golden/patch_attention.safetensors"}, Weights::Mismatch::Refuse, 0);
    PatchSelfAttention layer{weights, "layer", 24, 6};
    at::Tensor x = stored["x"];
    at::Tensor hidden = stored["hidden"];
    at::Tensor shown = hidden.logical_not();
};

class PatchPath : public testing::TestWithParam<AttentionPath> {
protected:
    PatchPath() { at::manual_seed(5); }
    ThreadRanks ring{{{"cpu", "cpu", "cpu"}, 3, 0, {}}};
    AttentionRun run{GetParam(), {}, &ring};
    c10::NoGradGuard inference;
};

} // namespace

TEST_P(PatchPath, GivesMultiheadAttention) {
    const Golden golden;
    EXPECT_TRUE(golden.weights.drawn().empty());
    EXPECT_LE(
        test::difference(golden.layer.forward(golden.x, {}, run), golden.stored["out"]), 1e-5);
}

TEST_P(PatchPath, HidesPaddingAndNotTheRest) {
    const Golden golden;
    const auto out = golden.layer.forward(golden.x, paddingOf(golden.hidden), run);
    const auto shown = golden.shown.unsqueeze(-1).expand_as(out);
    const auto rows = [&](const at::Tensor& x) { return x.masked_select(shown); };
    EXPECT_LE(test::difference(rows(out), rows(golden.stored["padded"])), 1e-5);
    // The trap: MultiheadAttention's mask says true for what is hidden, SDPA's for what is seen.
    const auto trapped = golden.shown.any(1) & golden.hidden.any(1);
    EXPECT_GT(
        test::difference(out.index({trapped}), golden.stored["inverted"].index({trapped})), 1.0);
}

TEST_P(PatchPath, LetsNoNanOutOfHiddenPatches) {
    const Golden golden;
    const auto padding = paddingOf(golden.hidden);
    const auto clean = golden.layer.forward(golden.x, padding, run);
    const auto dirty = golden.x.masked_fill(
        golden.hidden.unsqueeze(-1), std::numeric_limits<double>::quiet_NaN());
    const auto out = golden.layer.forward(dirty, padding, run);
    EXPECT_TRUE(out.isfinite().all().item<bool>());
    EXPECT_EQ(test::difference(out, clean), 0) << "what hidden patches hold changed a result";
}

TEST_P(PatchPath, GivesZerosWhereEverythingIsHidden) {
    const Golden golden;
    auto hidden = golden.hidden.clone();
    hidden[0].fill_(true);
    const auto out = golden.layer.forward(golden.x, paddingOf(hidden), run);
    EXPECT_TRUE(out.isfinite().all().item<bool>());
    EXPECT_TRUE(at::equal(out[0], at::zeros_like(out[0])));
    EXPECT_GT(out[1].abs().max().item<double>(), 0);
}

TEST_P(PatchPath, AgreesWithThePlainCompositionOverManyChunks) {
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    const PatchSelfAttention layer(weights, "layer", 48, 6);
    const auto exact = at::randn({1, 2500, 48}) * 2;
    const auto hidden = at::rand({1, 2500}).lt(0.3);
    for (const auto& [type, most] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 8e-2}}) {
        for (const auto& [name, tensor] : weights.all())
            tensor.set_data(tensor.to(type));
        const auto x = exact.to(type);
        for (const auto& padding : {at::Tensor(), paddingOf(hidden).to(type)}) {
            const auto out = layer.forward(x, padding, run);
            const c10::AutoGradMode training(true);
            const auto plain = layer.forward(x.clone().requires_grad_(true), padding, run).detach();
            const auto shown
                = padding.defined() ? hidden.logical_not().squeeze(0) : at::ones({2500}, at::kBool);
            const auto left = out[0].index({shown}), right = plain[0].index({shown});
            EXPECT_LE(test::difference(left, right), most * right.abs().max().item<double>());
            if (GetParam() == AttentionPath::Sdpa) {
                EXPECT_TRUE(at::equal(left, right)) << "chunks must not change the bytes";
            }
        }
    }
}

TEST_P(PatchPath, TakesBatchesAsSingles) {
    const Golden golden;
    const auto padding = paddingOf(golden.hidden);
    const auto together = golden.layer.forward(golden.x, padding, run);
    for (std::int64_t b = 0; b < golden.x.size(0); ++b) {
        const auto alone
            = golden.layer.forward(golden.x.narrow(0, b, 1), padding.narrow(0, b, 1), run);
        EXPECT_LE(test::difference(alone[0].masked_fill(golden.hidden[b].unsqueeze(-1), 0),
                      together[b].masked_fill(golden.hidden[b].unsqueeze(-1), 0)),
            1e-6);
    }
}

TEST_P(PatchPath, ComputesInHalfPrecision) {
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    const PatchSelfAttention exact(weights, "layer", 48, 6);
    const auto x = at::randn({1, 300, 48});
    const auto out = exact.forward(x, {}, run);
    for (const auto& [name, tensor] : weights.all())
        tensor.set_data(tensor.to(at::kBFloat16));
    EXPECT_LE(test::difference(exact.forward(x.to(at::kBFloat16), {}, run), out), 4e-2);
}

TEST_P(PatchPath, StopsWhenAsked) {
    const Golden golden;
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(
        golden.layer.forward(golden.x, {}, {GetParam(), source.get_token(), &ring}), Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Paths, PatchPath, testing::ValuesIn(kPaths), nameOfPath);

/// The reference's layer: width 1,024, 16 heads, 1,024 patches, torch.nn.MultiheadAttention's
/// initialisation. Its own figures are 5.22e-8 in float32 and 4.88e-4 in bfloat16.
TEST(PatchAttention, DiffersBetweenPathsByRoundingOnly) {
    const c10::NoGradGuard inference;
    at::manual_seed(5);
    constexpr std::int64_t kWidth = 1024;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    const PatchSelfAttention layer(weights, "layer", kWidth, 16);
    for (const auto& [name, tensor] : weights.all()) {
        const double bound = name == "layer.in_proj_weight" ? std::sqrt(6.0 / (4 * kWidth))
            : name == "layer.out_proj.weight"               ? 1 / std::sqrt(double(kWidth))
                                                            : 0;
        tensor.uniform_(-bound, bound);
    }
    const auto x = at::randn({1, 1024, kWidth}), padding = at::zeros({1, 1024});
    for (const auto& [type, most] : {std::pair{at::kFloat, 1e-7}, {at::kBFloat16, 5e-4}}) {
        for (const auto& [name, tensor] : weights.all())
            tensor.set_data(tensor.to(type));
        const auto native
            = layer.forward(x.to(type), padding.to(type), {AttentionPath::Mha, {}}).to(at::kFloat);
        EXPECT_TRUE(native.isfinite().all().item<bool>());
        for (const AttentionPath path : {AttentionPath::Sdpa, AttentionPath::Flash}) {
            const auto out = layer.forward(x.to(type), padding.to(type), {path, {}}).to(at::kFloat);
            EXPECT_LE(test::difference(out, native), most) << nameOf(path) << ' ' << type;
        }
    }
}

TEST(PatchAttention, TrainsWithPadding) {
    Golden golden;
    for (const auto& [name, tensor] : golden.weights.all())
        tensor.requires_grad_(true);
    golden.layer.forward(golden.x, paddingOf(golden.hidden), {}).square().sum().backward();
    for (const auto& [name, tensor] : golden.weights.all())
        EXPECT_GT(tensor.grad().abs().max().item<double>(), 0) << name;
}

} // namespace maskscope
