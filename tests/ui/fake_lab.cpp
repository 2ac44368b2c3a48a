// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/fake_lab.h"

#include "core/base/atomic_file.h"
#include "core/base/cancelled.h"
#include "core/measure/sweep_text.h"
#include "core/model/model_size.h"
#include "ui/size_plan.h"

#include <algorithm>
#include <thread>

namespace maskscope {

namespace {

MachineInfo machine() {
    MachineInfo machine;
    machine.torchVersion = "9.9.9";
    machine.processor = "Test processor";
    machine.capability = "AVX512";
    machine.threads = FakeLab::kThreads;
    machine.memoryFree = FakeLab::kFree;
    machine.attention = {{AttentionPath::Mha, true, false, true, {}},
        {AttentionPath::Sdpa, true, false, false, {}},
        {AttentionPath::Flash, true, true, false, {}, "none: tokens are packed",
            {Precision::Float32, Precision::BFloat16}, {"cpu"}},
        {AttentionPath::Ring, false, true, false,
            "it needs two devices, and this machine has one"}};
    return machine;
}

} // namespace

LabTools FakeLab::toolsFor(const std::shared_ptr<FakeLab>& lab) {
    LabTools tools;
    tools.measure = [lab](const LayerPoint& point, const std::stop_token& stop) {
        return lab->measure(point, stop);
    };
    tools.describeMachine = machine;
    tools.write = [](const SweepRecord& record, const std::filesystem::path& path) {
        AtomicFile file(path);
        file.write(path.extension() == ".csv" ? csvOf(record) : jsonOf(record));
        file.commit();
    };
    return tools;
}

ModelDescription FakeLab::model() {
    ModelDescription model;
    model.info.mostPixels = kMostPixels;
    model.info.bytesByDtype = {{"fp32", 0}};
    for (const AttentionPath path : {AttentionPath::Mha, AttentionPath::Sdpa, AttentionPath::Flash})
        for (const std::int64_t pixels : roundImageSizes()) {
            const std::int64_t P = modelSize(3, 2, pixels).patches();
            const std::int64_t mask = (path == AttentionPath::Mha ? 64 * P * P : 0) + 12'000 * P;
            if (pixels <= kMostPixels)
                model.forecasts.push_back({path, pixels, P, mask, std::max(mask, 40'000 * P)});
        }
    return model;
}

std::vector<LayerPoint> FakeLab::measured() const {
    const std::lock_guard lock(m_mutex);
    return m_measured;
}

void FakeLab::setPerPoint(std::chrono::milliseconds time) {
    const std::lock_guard lock(m_mutex);
    m_perPoint = time;
}

LayerFigures FakeLab::measure(const LayerPoint& point, const std::stop_token& stop) {
    std::chrono::milliseconds rest{0};
    {
        const std::lock_guard lock(m_mutex);
        m_measured.push_back(point);
        rest = m_perPoint;
    }
    for (; rest.count() > 0; rest -= std::chrono::milliseconds(1)) {
        throwIfStopped(stop);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::int64_t bytes = layerPeakBytes(point.shape, kThreads);
    if (bytes > kMemory)
        throw Failure(ErrorKind::Memory,
            textOf(point.shape) + " needs about " + std::to_string(bytes >> 20)
                + " MiB at its peak, but of the limit 1 GiB only 980 MiB are left. Choose the path"
                  " sdpa, fewer patches, or a higher memory limit.");
    return {bytes, bytes + point.shape.patches * point.shape.width * 4, bytes + (2 << 20), bytes,
        double(point.shape.patches) / 16, kThreads};
}

} // namespace maskscope
