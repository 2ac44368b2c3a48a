// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer_point.h"

#include "core/measure/layer_job.h"
#include "core/measure/layer_run.h"
#include "core/memory/recorder.h"
#include "core/ring/thread_ranks.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <vector>

namespace maskscope {

namespace {

constexpr double kMostMs = 10'000; ///< of repeats after which no further one is begun

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void measure(const LayerPoint& point, const LayerJob& job, LayerFigures& figures) {
    const c10::InferenceMode inference;
    const LayerRun run = makeLayer(point.shape);
    StageRecorder first(cpuLedger(), HighWater::Measured);
    first.markLoaded();
    job.preflight();
    const at::Tensor x = layerInput(point.shape), padding = layerPadding(point.shape);
    const auto once = [&](StageRecorder& recorder) {
        StageScope stage(recorder);
        const at::Tensor out = run(x, padding);
        job.check();
        return stage.end();
    };
    // How far the ranks of a ring were from peaking together.
    const auto unmet = [&](const StageMemory& stage) {
        return run.ranks ? std::max<std::int64_t>(0, run.ranks->jointPeakBytes() - stage.peak) : 0;
    };
    const StageMemory cold = once(first);
    figures.extraPeakBytes = cold.extraPeak() + unmet(cold);
    figures.overLoadBytes = cold.overLoaded.value_or(0) + unmet(cold);
    figures.highWaterGrowthBytes = cold.highWaterGrowth;
    StageRecorder timed(cpuLedger(), HighWater::Ignored);
    std::vector<double> ms;
    for (double spent = cold.ms; int(ms.size()) < point.repeats && spent < kMostMs;
         spent += ms.back()) {
        const StageMemory warm = once(timed);
        figures.extraPeakBytes = std::max(figures.extraPeakBytes, warm.extraPeak() + unmet(warm));
        ms.push_back(warm.ms);
    }
    if (run.ranks)
        figures.rankPeakBytes = run.ranks->peakBytes();
    figures.ms = ms.empty() ? cold.ms : median(ms);
}

} // namespace

LayerFigures measureLayer(const LayerPoint& point) {
    const LayerJob job(point.shape, {point.threads, point.memoryLimit, point.preflight});
    LayerFigures figures;
    figures.threads = job.threads();
    figures.predictedBytes = job.predictedBytes();
    job.run([&] { measure(point, job, figures); });
    return figures;
}

} // namespace maskscope
