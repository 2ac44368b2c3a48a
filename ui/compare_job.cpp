// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_job.h"

#include "core/base/cancelled.h"

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
    : QObject(parent)
    , m_run(std::move(run)) { }

CompareJob::~CompareJob() = default;

void CompareJob::start(const ComparisonPlan& plan) {
    setState(State::Running);
    m_thread = std::jthread([this, plan](const std::stop_token& stop) { work(plan, stop); });
}

void CompareJob::stop() {
    if (m_state != State::Running)
        return;
    m_thread.request_stop();
    setState(State::Stopping);
}

void CompareJob::work(const ComparisonPlan& plan, const std::stop_token& stop) {
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
        [&](std::size_t configuration, const RunRecord&) { handOn(configuration); },
    };
    Compared compared;
    std::optional<Error> error;
    try {
        compared = std::make_shared<const std::vector<ComparedRuns>>(
            runComparison(plan, m_run, sink, stop));
    } catch (const Cancelled&) {
        // An outcome.
    } catch (...) {
        error = errorOf(std::current_exception());
    }
    post([this, compared, error] { finish(compared, error); });
}

void CompareJob::finish(const Compared& compared, const std::optional<Error>& error) {
    // The state first, so that whoever hears of the end can start the next one.
    setState(State::Idle);
    if (error)
        Q_EMIT failed(*error);
    Q_EMIT ended(compared);
}

void CompareJob::setState(State state) {
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged(state);
}

} // namespace maskscope
