// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer_point.h"

#include "core/base/error.h"
#include "core/measure/layer_limit.h"
#include "core/measure/layer_run.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/recorder.h"
#include "core/ring/thread_ranks.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <string>
#include <vector>

namespace maskscope {

namespace {

constexpr double kMostMs = 10'000; ///< of repeats after which no further one is begun

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void measure(const LayerPoint& point, const MemoryBudget& budget, LayerFigures& figures) {
    const c10::InferenceMode inference;
    const LayerRun run = makeLayer(point.shape);
    StageRecorder first(cpuLedger(), HighWater::Measured);
    first.markLoaded();
    if (point.preflight == Preflight::On)
        refuseIfTooLarge(point.shape, figures.threads);
    const at::Tensor x = layerInput(point.shape), padding = layerPadding(point.shape);
    const auto once = [&](StageRecorder& recorder) {
        StageScope stage(recorder);
        const at::Tensor out = run(x, padding);
        budget.check();
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
    checkLayer(point.shape);
    installCountingAllocator();
    prepareRequest({});
    if (point.threads > 0)
        at::set_num_threads(point.threads);
    LayerFigures figures;
    figures.threads = at::get_num_threads();
    figures.predictedBytes = layerPeakBytes(point.shape, figures.threads);
    const MemoryBudget budget(cpuLedger(),
        point.memoryLimit ? point.memoryLimit : defaultMemoryLimit(cpuLedger().live()));
    std::optional<Error> error;
    try {
        measure(point, budget, figures);
    } catch (...) {
        error = budget.errorOf(std::current_exception());
        if (cpuLedger().refusal())
            error->sentence = textOf(point.shape) + ": " + error->sentence;
    }
    if (error)
        throw Failure(std::move(*error));
    return figures;
}

} // namespace maskscope
