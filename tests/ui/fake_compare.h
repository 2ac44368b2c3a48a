// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancelled.h"
#include "core/compare/comparison_run.h"
#include "tests/ui/fake_job.h"

#include <memory>

namespace maskscope {

/// Runs of the fake model on `image`, in this process; a memory limit below its peak ends a run as
/// a real one ends.
inline RunConfiguration fakeRuns(
    const std::shared_ptr<FakeModel>& model, const std::shared_ptr<const Image>& image) {
    return [model, image](
               const RunHeader& header, const EventSink& onEvent, const std::stop_token& stop) {
        RunRecord record{header, {}};
        record.header.machine = {"A processor", "AVX2", "2.13.0", 2};
        record.header.modelName = "fake";
        const EventSink keep = [&](const Event& event) {
            onEvent(event);
            record.events.push_back(event);
        };
        if (header.settings.memoryLimit && *header.settings.memoryLimit < FakeModel::kVisionPeak) {
            keep({1, 0, Failed{{ErrorKind::Memory, "This request needs about 96 MiB."}}});
            return record;
        }
        Request request = requestOf(header);
        request.images = {image};
        const std::stop_callback stopping(stop, [&] { request.stop.request_stop(); });
        FakeModel::factoryFor(model)([](const Event&) {})(request, keep);
        throwIfStopped(stop);
        return record;
    };
}

} // namespace maskscope
