// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy.h"

#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/measure/audit.h"
#include "core/measure/layer_run.h"
#include "core/measure/peak_observer.h"
#include "core/model/config.h"

#include <c10/core/InferenceMode.h>

#include <string>

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

Anatomy layerAnatomy(const LayerShape& shape, const LayerLimits& limits) {
    checkWatchedLayer(shape);
    const LayerJob job(shape, limits);
    Anatomy anatomy;
    job.run([&] {
        const c10::InferenceMode inference;
        const LayerRun run = makeLayer(shape);
        job.preflight();
        const at::Tensor x = layerInput(shape), padding = layerPadding(shape);
        PeakObserver observer;
        const at::Tensor out = run(x, padding);
        anatomy = observer.anatomy();
    });
    anatomy.patches = shape.patches;
    anatomy.heads = shape.heads;
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
