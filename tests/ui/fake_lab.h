// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab_tools.h"
#include "ui/session.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

namespace maskscope {

/// A laboratory without tensors: points take what is foretold for them, nothing above kMemory fits,
/// and a model whose needs a test can foretell.
class FakeLab {
public:
    static LabTools toolsFor(const std::shared_ptr<FakeLab>& lab);

    /// Of a model with 8 heads in fp32 whose run never takes less than its vision stage.
    static ModelDescription model();

    /// Points that were asked for so far.
    std::vector<LayerPoint> measured() const;
    void setPerPoint(std::chrono::milliseconds time);

    static constexpr std::int64_t kMemory = std::int64_t(1) << 30;
    static constexpr std::int64_t kFree = std::int64_t(20) << 30;
    static constexpr std::int64_t kMostPixels = 8'388'608;
    static constexpr int kThreads = 2;

private:
    LayerFigures measure(const LayerPoint& point, const std::stop_token& stop);

    mutable std::mutex m_mutex;
    std::vector<LayerPoint> m_measured;
    std::chrono::milliseconds m_perPoint{0};
};

} // namespace maskscope
