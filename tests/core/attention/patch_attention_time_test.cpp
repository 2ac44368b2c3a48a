// SPDX-License-Identifier: GPL-3.0-or-later
// What the saved memory costs in time, against the plain composition.
#include "core/attention/patch_attention.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kWidth = 1024, kHeads = 16, kPatches = 1944;

/// Of this process, so that others on the machine do not count.
double processorMs(const std::function<at::Tensor()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    };
    const double begin = now();
    work();
    return now() - begin;
}

at::Tensor plain(const Weights& weights, const at::Tensor& x, const at::Tensor& mask) {
    const auto& tensors = weights.all(); // in_proj weight and bias, out_proj weight and bias
    const auto parts = at::linear(x, tensors[0].second, tensors[1].second).chunk(3, -1);
    const auto heads = [&](const at::Tensor& part) {
        return part.view({1, kPatches, kHeads, -1}).transpose(1, 2);
    };
    const auto mixed
        = at::scaled_dot_product_attention(heads(parts[0]), heads(parts[1]), heads(parts[2]), mask);
    return at::linear(
        mixed.transpose(1, 2).reshape(x.sizes()), tensors[2].second, tensors[3].second);
}

void expectRatio(at::ScalarType type, double most) {
    at::set_num_threads(1);
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    const PatchSelfAttention layer(weights, "layer", kWidth, kHeads);
    for (const auto& [name, tensor] : weights.all())
        tensor.set_data(tensor.to(type));
    const c10::InferenceMode inference;
    const auto x = at::randn({1, kPatches, kWidth}).to(type);
    const auto padding = at::zeros({1, kPatches}, type), mask = padding.view({1, 1, 1, -1});
    const auto lean = [&] { return layer.forward(x, padding, {AttentionPath::Sdpa, {}}); };
    const auto whole = [&] { return plain(weights, x, mask); };
    ASSERT_TRUE(at::equal(lean(), whole())) << "they compute the same bytes";
    std::vector<double> ratios;
    for (int pair = 0; pair < 15; ++pair) {
        const bool leanFirst = pair % 2 == 0;
        const double first = leanFirst ? processorMs(lean) : processorMs(whole);
        const double second = leanFirst ? processorMs(whole) : processorMs(lean);
        ratios.push_back(leanFirst ? first / second : second / first);
    }
    std::sort(ratios.begin(), ratios.end());
    testing::Test::RecordProperty("median", std::to_string(ratios[7]));
    // Of 15, the fourth and the twelfth bound the median with 96 %.
    EXPECT_LE(ratios[3], most) << "median " << ratios[7];
}

} // namespace

TEST(PatchAttentionTime, IsThatOfThePlainCompositionInFloat32) {
    expectRatio(at::kFloat, 1.05);
}

TEST(PatchAttentionTime, IsNearThePlainCompositionsInBFloat16) {
    expectRatio(at::kBFloat16, 1.10);
}

} // namespace maskscope
