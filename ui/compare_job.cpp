// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_job.h"

#include <chrono>
#include <utility>

namespace maskscope {

namespace {

/// Gathers what comes between two frames of the screen.
class Batch {
public:
    /// Whether it is time to hand it on.
    bool add(const MemorySample& sample) {
        m_samples.push_back(sample);
        return std::chrono::steady_clock::now() - m_taken
            >= std::chrono::milliseconds(Session::kIntervalMs);
    }
    std::vector<MemorySample> take() {
        m_taken = std::chrono::steady_clock::now();
        return std::exchange(m_samples, {});
    }

private:
    std::vector<MemorySample> m_samples;
    std::chrono::steady_clock::time_point m_taken;
};

} // namespace

CompareJob::CompareJob(RunConfiguration run, QObject* parent)
    : Job(parent)
    , m_run(std::move(run)) { }

void CompareJob::start(const ComparisonPlan& plan) {
    begin([this, plan, run = m_run](const std::stop_token& stop) { work(plan, run, stop); });
}

void CompareJob::work(
    const ComparisonPlan& plan, const RunConfiguration& run, const std::stop_token& stop) {
    int repeatNow = 0;
    Batch batch;
    const auto handOn = [&](std::size_t configuration) {
        post([this, configuration, samples = batch.take()] {
            Q_EMIT memoryArrived(int(configuration), samples);
        });
    };
    const ComparisonSink sink{
        [&](std::size_t configuration, int repeat, double fraction) {
            repeatNow = repeat;
            post([this, configuration, repeat, fraction] {
                Q_EMIT began(int(configuration), repeat, fraction);
            });
        },
        [&](std::size_t configuration, const Event& event) {
            const auto* measured = std::get_if<MemoryMeasured>(&event.payload);
            if (measured && repeatNow == 0 && batch.add(measured->sample))
                handOn(configuration);
        },
        [&](std::size_t configuration, const RunRecord& ended) {
            handOn(configuration);
            if (const Error* error = errorOf(ended))
                post([this, configuration, failure = *error] {
                    Q_EMIT runFailed(int(configuration), failure);
                });
        },
    };
    const auto runs
        = std::make_shared<const std::vector<ComparedRuns>>(runComparison(plan, run, sink, stop));
    post([this, runs] { Q_EMIT compared(runs); });
}

} // namespace maskscope
