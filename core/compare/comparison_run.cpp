// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison_run.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"

#include <utility>

namespace maskscope {

namespace {

void check(const ComparisonPlan& plan) {
    const std::size_t count = plan.configurations.size();
    if (count < 2 || count > kMostConfigurations)
        throw Failure(ErrorKind::Usage,
            "A comparison takes 2 to " + std::to_string(kMostConfigurations)
                + " configurations, not " + std::to_string(count) + ".");
    if (plan.repeats < 1)
        throw Failure(ErrorKind::Usage, "A comparison needs at least one repeat.");
}

} // namespace

std::vector<ComparedRuns> runComparison(const ComparisonPlan& plan, const RunConfiguration& run,
    const ComparisonSink& sink, const std::stop_token& stop) {
    check(plan);
    std::vector<ComparedRuns> compared;
    for (const RunHeader& header : plan.configurations)
        compared.push_back({header, {}});
    const auto all = double(compared.size()) * plan.repeats;
    for (int repeat = 0; repeat < plan.repeats; ++repeat)
        for (std::size_t i = 0; i < compared.size(); ++i) {
            throwIfStopped(stop);
            sink.onBegin(i, repeat, (repeat * double(compared.size()) + double(i)) / all);
            RunHeader header = compared[i].header;
            header.settings.logits = repeat == 0 ? LogitRecord::Values : LogitRecord::Digests;
            compared[i].runs.push_back(run(
                header, [&](const Event& event) { sink.onEvent(i, event); }, stop));
            sink.onRun(i, compared[i].runs.back());
        }
    return compared;
}

std::vector<Comparison> comparisonsOf(const std::vector<ComparedRuns>& compared) {
    std::vector<Comparison> comparisons;
    for (std::size_t i = 1; i < compared.size(); ++i)
        comparisons.push_back(compareRuns(compared.front().first(), compared[i].first()));
    return comparisons;
}

ComparedRuns pastRun(RunRecord record, const std::string& name) {
    RunHeader header = record.header;
    std::string title = header.title;
    if (title.empty())
        title = nameOf(
            reportOf(record) ? reportOf(record)->attention.used : header.settings.attention);
    header.title = name + " (" + title + ")";
    return {std::move(header), {std::move(record)}, RunOrigin::Past};
}

} // namespace maskscope
