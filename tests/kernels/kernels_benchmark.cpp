// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes moved per second by each operation's CPU launcher, at the sizes of 3 and 8 megapixels.
#include "kernels/kernels.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace maskscope::kernels {
namespace {

void mergeStates(benchmark::State& state) {
    const std::int64_t tokens = state.range(0);
    constexpr std::int64_t kHeads = 16;
    constexpr std::int64_t kDim = 64;
    const auto rows = static_cast<std::size_t>(tokens * kHeads);
    std::vector<float> o1(rows * kDim, 1), o2(rows * kDim, 2), lse1(rows, 1), lse2(rows, 1);
    for (auto _ : state) {
        cpu::mergeStates(o1.data(), lse1.data(), o2.data(), lse2.data(), tokens, kHeads, kDim);
        benchmark::ClobberMemory();
    }
    // o1 read and written, o2 read, and so the lse.
    state.SetBytesProcessed(state.iterations() * tokens * kHeads * (kDim + 1) * 3 * 4);
}
BENCHMARK(mergeStates)->Arg(1024)->Arg(11616)->Unit(benchmark::kMicrosecond);

/// A disk over `part` of the picture's height.
std::vector<float> disk(std::int32_t h, std::int32_t w, double part) {
    std::vector<float> logits;
    for (std::int32_t y = 0; y < h; ++y)
        for (std::int32_t x = 0; x < w; ++x)
            logits.push_back(
                static_cast<float>(part * h / 2 - std::hypot(x - w / 2.0, y - h / 2.0)));
    return logits;
}

void upsampleMask(benchmark::State& state) {
    const auto scale = static_cast<std::int32_t>(state.range(0));
    const std::int32_t h = 584, w = 880, height = h * scale, width = w * scale;
    const auto logits = disk(h, w, static_cast<double>(state.range(1)) / 100);
    const std::int64_t pixels = std::int64_t{height} * width;
    std::vector<std::uint8_t> bits(static_cast<std::size_t>(pixels));
    for (auto _ : state)
        benchmark::DoNotOptimize(
            cpu::upsampleMask(logits.data(), h, w, 0, bits.data(), height, width));
    state.SetBytesProcessed(state.iterations() * (std::int64_t{h} * w * 4 + pixels));
    state.SetItemsProcessed(state.iterations() * pixels);
}
BENCHMARK(upsampleMask)
    ->ArgNames({"scale", "percent"})
    ->Args({2, 50})
    ->Args({4, 50})
    ->Args({4, 300})
    ->Unit(benchmark::kMicrosecond);

void overlayMask(benchmark::State& state) {
    const std::int32_t height = 2336, width = 3520;
    std::vector<std::uint8_t> bits, pixels(std::size_t{height} * width * 4, 90);
    for (const float logit : disk(height, width, static_cast<double>(state.range(1)) / 100))
        bits.push_back(logit > 0);
    std::int64_t area = 0;
    for (const std::uint8_t bit : bits)
        area += bit;
    const OverlayStyle style{{230, 159, 0}, 128, static_cast<std::int32_t>(state.range(0))};
    for (auto _ : state) {
        cpu::overlayMask(
            bits.data(), height, width, style, {pixels.data(), std::int64_t{width} * 4, 4});
        benchmark::ClobberMemory();
    }
    state.SetBytesProcessed(state.iterations() * (std::int64_t{height} * width + area * 6));
    state.SetItemsProcessed(state.iterations() * height * width);
}
BENCHMARK(overlayMask)
    ->ArgNames({"outline", "percent"})
    ->Args({0, 50})
    ->Args({2, 50})
    ->Args({2, 300})
    ->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace maskscope::kernels

BENCHMARK_MAIN();
