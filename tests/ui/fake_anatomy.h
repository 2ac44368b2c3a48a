// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancelled.h"
#include "ui/anatomy_tools.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace maskscope {

/// Takes anatomies of nothing: two matrices of 16 x 1024 x 1024, and the projections beside them.
class FakeAnatomy {
public:
    static constexpr std::int64_t kMatrix = std::int64_t(16) * 1024 * 1024 * 4;

    static AnatomyTools toolsFor(const std::shared_ptr<FakeAnatomy>& fake) {
        return {[fake](const AnatomyQuestion& question, const std::function<void(Stage)>& onStage,
                    const std::stop_token& stop) { return fake->take(question, onStage, stop); },
            "model"};
    }

    static Anatomy answer() {
        Anatomy anatomy;
        anatomy.patches = 1024;
        anatomy.heads = 16;
        anatomy.tensors = {{"bmm", {16, 1024, 1024}, "fp32", kMatrix, "mask/<b>attention", 1},
            {"_masked_softmax", {1, 16, 1024, 1024}, "fp32", kMatrix, "mask/attention", 1},
            {"linear", {1024, 3072}, "fp32", 12'582'912, "mask/attention", 1}};
        anatomy.before[std::size_t(MemoryCategory::Weights)] = 52 << 20;
        anatomy.extraPeakBytes = 2 * kMatrix + 12'582'912;
        anatomy.peakBytes = anatomy.extraPeakBytes + (52 << 20);
        return anatomy;
    }

    /// Asked so far.
    std::vector<AnatomyQuestion> questions() const {
        const std::lock_guard lock(m_mutex);
        return m_questions;
    }
    void setTime(std::chrono::milliseconds time) {
        const std::lock_guard lock(m_mutex);
        m_time = time;
    }
    void setFailure(const Error& error) {
        const std::lock_guard lock(m_mutex);
        m_failure = error;
    }

private:
    Anatomy take(const AnatomyQuestion& question, const std::function<void(Stage)>& onStage,
        const std::stop_token& stop) {
        std::chrono::milliseconds rest{0};
        std::optional<Error> failure;
        {
            const std::lock_guard lock(m_mutex);
            m_questions.push_back(question);
            rest = m_time;
            failure = m_failure;
        }
        onStage(Stage::Vision);
        for (; rest.count() > 0; rest -= std::chrono::milliseconds(1)) {
            throwIfStopped(stop);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        throwIfStopped(stop);
        if (failure)
            throw Failure(*failure);
        return answer();
    }

    mutable std::mutex m_mutex;
    std::vector<AnatomyQuestion> m_questions;
    std::chrono::milliseconds m_time{0};
    std::optional<Error> m_failure;
};

} // namespace maskscope
