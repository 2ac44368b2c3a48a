// SPDX-License-Identifier: GPL-3.0-or-later
// Times of what a run consists of: ./run bench [--benchmark_filter=REGEX]
#include "app/resources_folder.h"
#include "core/attention/patch_attention.h"
#include "core/engine/engine.h"
#include "core/image/image_reader.h"
#include "core/text/tokenizer.h"

#include <ATen/ops/rand.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>

#include <cstdint>
#include <memory>
#include <string>

namespace maskscope {
namespace {

/// One attention layer of the mask decoder over P patches.
void attendPatches(benchmark::State& state, AttentionPath path) {
    constexpr std::int64_t kWidth = 128;
    constexpr std::int64_t kHeads = 8;
    const c10::NoGradGuard inference;
    auto weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 1);
    const PatchSelfAttention layer(weights, "layer", kWidth, kHeads);
    const auto x = at::rand({1, state.range(0), kWidth}); // [B, P, C]
    for (auto _ : state)
        benchmark::DoNotOptimize(layer.forward(x, {}, AttentionRun{path, {}}));
}
BENCHMARK_CAPTURE(attendPatches, mha, AttentionPath::Mha)->Arg(256)->Arg(1024)->Arg(4096);
BENCHMARK_CAPTURE(attendPatches, sdpa, AttentionPath::Sdpa)->Arg(256)->Arg(1024)->Arg(4096);
BENCHMARK_CAPTURE(attendPatches, flash, AttentionPath::Flash)->Arg(256)->Arg(1024)->Arg(4096);

void encodeText(benchmark::State& state) {
    const Tokenizer tokenizer(shippedModel() / "tokenizer.json");
    const std::string text = "segment the cake and the clock beside the two cups";
    for (auto _ : state)
        benchmark::DoNotOptimize(tokenizer.encode(text, SpecialTokens::AsText));
}
BENCHMARK(encodeText);

/// The main job on an example: words to masks.
void segmentExample(benchmark::State& state, AttentionPath path) {
    EngineOptions options;
    options.model = shippedModel();
    const auto engine = Engine::create(options).value();
    Request request;
    request.images = {
        std::make_shared<const Image>(readImage(resourcesFolder() / "examples" / "tea_time.png"))};
    request.text = "segment the cake and the clock";
    request.settings.attention = path;
    std::shared_ptr<const Report> report;
    for (auto _ : state) {
        ++request.number;
        report = engine->run(request, [](const Event&) {}).value();
    }
    for (const auto& [stage, ms] : report->ms)
        state.counters[std::string(nameOf(stage)) + "_ms"] = ms;
    for (const auto& [stage, bytes] : report->extraPeakBytes)
        state.counters[std::string(nameOf(stage)) + "_peak_MiB"]
            = static_cast<double>(bytes) / (1 << 20);
    state.counters["tokens_per_s"] = report->tokensPerSecond;
}
BENCHMARK_CAPTURE(segmentExample, sdpa, AttentionPath::Sdpa)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(segmentExample, mha, AttentionPath::Mha)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace maskscope

BENCHMARK_MAIN();
