// SPDX-License-Identifier: GPL-3.0-or-later
// What the saved memory of a lean attention layer costs in time, against the plain composition.
#include "core/attention/patch_attention.h"

#include <ATen/Parallel.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

namespace maskscope {
namespace {

constexpr std::int64_t kWidth = 1024, kHeads = 16;
constexpr int kPairs = 15;

/// Of this process, so that others on the machine do not count.
double processorMs(const std::function<at::Tensor()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
    };
    const double begin = now();
    benchmark::DoNotOptimize(work());
    return now() - begin;
}

at::Tensor plain(const Weights& weights, const at::Tensor& x, const at::Tensor& mask) {
    const auto& tensors = weights.all(); // in_proj weight and bias, out_proj weight and bias
    const auto parts = at::linear(x, tensors[0].second, tensors[1].second).chunk(3, -1);
    const auto heads = [&](const at::Tensor& part) {
        return part.view({1, x.size(1), kHeads, -1}).transpose(1, 2);
    };
    const auto mixed
        = at::scaled_dot_product_attention(heads(parts[0]), heads(parts[1]), heads(parts[2]), mask);
    return at::linear(
        mixed.transpose(1, 2).reshape(x.sizes()), tensors[2].second, tensors[3].second);
}

/// Interleaved pairs on one thread; the counters are the median ratio of processor times and the
/// fourth and the twelfth of 15, which bound it with 96 %.
void leanOverPlain(benchmark::State& state, at::ScalarType type) {
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 2);
    const PatchSelfAttention layer(weights, "layer", kWidth, kHeads);
    for (const auto& [name, tensor] : weights.all())
        tensor.set_data(tensor.to(type));
    const c10::InferenceMode inference;
    const auto x = at::randn({1, state.range(0), kWidth}).to(type); // [1, P, C]
    const auto padding = at::zeros({1, state.range(0)}, type), mask = padding.view({1, 1, 1, -1});
    const auto lean = [&] { return layer.forward(x, padding, {AttentionPath::Sdpa, {}}); };
    const auto whole = [&] { return plain(weights, x, mask); };
    processorMs(lean);
    processorMs(whole);
    std::vector<double> ratios;
    for (auto _ : state) {
        const bool leanFirst = ratios.size() % 2 == 0;
        const double first = leanFirst ? processorMs(lean) : processorMs(whole);
        const double second = leanFirst ? processorMs(whole) : processorMs(lean);
        ratios.push_back(leanFirst ? first / second : second / first);
    }
    std::sort(ratios.begin(), ratios.end());
    state.counters["ratio"] = ratios[ratios.size() / 2];
    state.counters["ratio_low"] = ratios[ratios.size() / 4];
    state.counters["ratio_high"] = ratios[ratios.size() - 1 - ratios.size() / 4];
    at::set_num_threads(threads);
}
BENCHMARK_CAPTURE(leanOverPlain, fp32, at::kFloat)->Arg(1944)->Arg(3952)->Iterations(kPairs);
BENCHMARK_CAPTURE(leanOverPlain, bf16, at::kBFloat16)->Arg(1944)->Arg(3952)->Iterations(kPairs);

} // namespace
} // namespace maskscope
