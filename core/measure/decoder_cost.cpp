// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/decoder_cost.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/measure/patch_picture.h"

#include <algorithm>
#include <memory>
#include <string>

namespace maskscope {

namespace {

/// A box: one object, decoded once.
Request boxOn(const DecoderPlan& plan, const std::shared_ptr<const Image>& image) {
    Request request;
    request.images = {image};
    request.boxes = {{1, 1, image->width / 2.0, image->height / 2.0}};
    request.settings.precision = plan.precision;
    request.settings.pixels = kNativePixels;
    request.settings.threads = plan.threads;
    return request;
}

std::shared_ptr<const Report> ran(
    Engine& engine, const Request& request, std::int64_t patches, const std::stop_token& stop) {
    const std::stop_callback forward(stop, [&] { (void)request.stop.request_stop(); });
    auto report = engine.run(request, {}).value();
    if (report->outcome == Outcome::Cancelled)
        throw Cancelled();
    if (report->patches != patches)
        throw Failure(ErrorKind::Usage,
            "The model sees " + std::to_string(report->patches) + " patches instead of "
                + std::to_string(patches) + ": give at most what `info --model` says.");
    return report;
}

std::vector<DecoderCost> measured(
    Engine& engine, const DecoderPlan& plan, std::int64_t patches, const std::stop_token& stop) {
    const std::shared_ptr<const Image> picture = pictureOf(patches);
    std::vector<DecoderCost> costs;
    for (const AttentionPath path : plan.paths)
        costs.push_back({path, patches, {}, 0});
    std::vector<std::vector<double>> times(costs.size());
    for (int i = -plan.repeats.warmUps; i < plan.repeats.count; ++i)
        for (std::size_t k = 0; k < costs.size(); ++k) {
            // Another picture to the engine, which keeps what it computed of the last.
            Request request = boxOn(plan, std::make_shared<const Image>(*picture));
            request.settings.attention = costs[k].path;
            const auto report = ran(engine, request, patches, stop);
            costs[k].extraPeakBytes
                = std::max(costs[k].extraPeakBytes, report->extraPeakBytes.at(Stage::Mask));
            if (i >= 0)
                times[k].push_back(report->ms.at(Stage::Mask));
        }
    for (std::size_t k = 0; k < costs.size(); ++k)
        costs[k].ms = spreadOf(std::move(times[k]));
    return costs;
}

} // namespace

void measureDecoder(const DecoderPlan& plan,
    const std::function<void(const std::vector<DecoderCost>&)>& onCosts,
    const std::stop_token& stop) {
    if (plan.patches.empty() || plan.paths.empty() || plan.repeats.count < 1)
        throw Failure(ErrorKind::Usage,
            "There is nothing to measure: give patches, paths and at least one repeat.");
    for (const std::int64_t patches : plan.patches)
        (void)pictureOf(patches); // a size that no picture has is told before anything is run
    EngineOptions options;
    options.model = plan.model;
    options.precision = plan.precision;
    options.threads = plan.threads;
    const auto engine = Engine::create(options).value();
    for (const std::int64_t patches : plan.patches) {
        throwIfStopped(stop);
        onCosts(measured(*engine, plan, patches, stop));
    }
}

} // namespace maskscope
