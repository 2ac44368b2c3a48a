// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy.h"

#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/measure/audit.h"
#include "core/measure/layer_limit.h"
#include "core/measure/layer_run.h"
#include "core/measure/peak_observer.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"
#include "core/model/config.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace maskscope {

std::int64_t Anatomy::matrices() const {
    const AuditRule rule{patches, std::nullopt, heads};
    std::int64_t count = 0;
    for (const AliveTensor& tensor : tensors)
        if (rule.matches(tensor.shape))
            count += tensor.copies;
    return count;
}

std::int64_t Anatomy::matrixBytes() const {
    const AuditRule rule{patches, std::nullopt, heads};
    std::int64_t bytes = 0;
    for (const AliveTensor& tensor : tensors)
        if (rule.matches(tensor.shape))
            bytes += tensor.copies * tensor.bytes;
    return bytes;
}

namespace {

Anatomy observed(const LayerShape& shape) {
    const c10::InferenceMode inference;
    const LayerRun run = makeLayer(shape);
    refuseIfTooLarge(shape, at::get_num_threads());
    const at::Tensor x = layerInput(shape), padding = layerPadding(shape);
    PeakObserver observer;
    const at::Tensor out = run(x, padding);
    Anatomy anatomy = observer.anatomy();
    anatomy.patches = shape.patches;
    anatomy.heads = shape.heads;
    return anatomy;
}

} // namespace

Anatomy layerAnatomy(const LayerShape& shape, int threads) {
    checkWatchedLayer(shape);
    installCountingAllocator();
    prepareRequest({});
    if (threads > 0)
        at::set_num_threads(threads);
    const MemoryBudget budget(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
    Anatomy anatomy;
    std::optional<Error> error;
    try {
        anatomy = observed(shape);
        budget.check();
    } catch (...) {
        error = budget.errorOf(std::current_exception());
    }
    if (error)
        throw Failure(std::move(*error));
    return anatomy;
}

Anatomy requestAnatomy(
    const std::filesystem::path& model, const Request& request, const std::optional<Stage>& stage) {
    return requestAnatomyAt(model, request, {stage, {}}, [](const Event&) {});
}

Anatomy requestAnatomyAt(const std::filesystem::path& model, const Request& request,
    const AnatomyMoment& moment, const EventSink& onEvent) {
    if (request.settings.attention == AttentionPath::Ring)
        checkWatchedLayer({LayerPath::Ring});
    EngineOptions options;
    options.model = model;
    options.precision = request.settings.precision;
    options.threads = request.settings.threads;
    const auto engine = Engine::create(options).value();
    PeakObserver observer;
    const auto report = engine->run(request, onEvent).value();
    const std::string_view scope = moment.stage ? nameOf(*moment.stage) : std::string_view();
    auto anatomy = moment.live ? observer.anatomyNear(scope, *moment.live)
        : moment.stage         ? observer.anatomyOf(scope)
                               : observer.anatomy();
    if (!anatomy)
        throw Failure(ErrorKind::Usage,
            "This request does not go through the stage " + std::string(scope) + ".");
    anatomy->patches = report->patches;
    anatomy->heads = readLensConfig(model / "config.json").mask.heads;
    return *anatomy;
}

} // namespace maskscope
