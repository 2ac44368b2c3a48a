// SPDX-License-Identifier: GPL-3.0-or-later
// How long a person waits: for the first mask of words, and for a further click.
#include "app/resources_folder.h"
#include "core/engine/engine.h"
#include "core/image/image_reader.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <optional>

namespace maskscope {
namespace {

constexpr std::int64_t kPixels = 65536; ///< as 256 x 256
constexpr int kThreads = 2;

std::shared_ptr<const Image> picture() {
    return std::make_shared<const Image>(
        readImage(resourcesFolder() / "examples" / "tea_time.png"));
}

Request requestOn(const std::shared_ptr<const Image>& image) {
    Request request;
    request.images = {image};
    request.settings.pixels = kPixels;
    return request;
}

/// Loaded, and warm after a first run.
std::unique_ptr<Engine> engine() {
    EngineOptions options;
    options.model = shippedModel();
    options.threads = kThreads;
    auto model = Engine::create(options).value();
    Request request = requestOn(picture());
    request.text = "segment the cake";
    (void)model->run(request, {});
    return model;
}

/// Until the first mask of words on a picture that was not seen before.
void firstMask(benchmark::State& state) {
    const auto model = engine();
    const Image image = *picture();
    for (auto _ : state) {
        Request request = requestOn(std::make_shared<const Image>(image));
        request.text = "segment the cake";
        std::optional<double> ms;
        (void)model->run(request, [&](const Event& event) {
            if (!ms && std::holds_alternative<MaskProduced>(event.payload))
                ms = event.tMs;
        });
        if (!ms) {
            state.SkipWithError("the request gave no mask");
            return;
        }
        state.SetIterationTime(*ms / 1000);
    }
}
BENCHMARK(firstMask)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

/// A click after others on the same object.
void furtherClick(benchmark::State& state) {
    const auto model = engine();
    const auto image = picture();
    for (auto _ : state) {
        Request request = requestOn(image);
        request.points = {{image->width / 2.0, image->height / 2.0, PointSign::Positive},
            {image->width / 2.0 + 9, image->height / 2.0, PointSign::Positive}};
        (void)model->run(request, {});
        request.points.push_back(
            {image->width / 2.0, image->height / 2.0 + 9, PointSign::Positive});
        const auto begin = std::chrono::steady_clock::now();
        benchmark::DoNotOptimize(model->run(request, {}));
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
}
BENCHMARK(furtherClick)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(5)
    ->Repetitions(5)
    ->ReportAggregatesOnly();

} // namespace
} // namespace maskscope
