// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_chart.h"

#include <algorithm>
#include <string>

namespace maskscope {

namespace {

constexpr double kMiB = 1 << 20;
constexpr int kSteps = 100; ///< of a curve

} // namespace

Chart sweepChart(const SweepPlan& plan, const std::vector<SweepPoint>& points,
    const std::vector<SweepFit>& fits) {
    const LayerShape& shape = plan.point.shape;
    Chart chart;
    chart.title = "Extra peak of "
        + (shape.blocks > 0 ? std::to_string(shape.blocks) + " decoder blocks"
                            : std::string("one attention layer"))
        + ", " + std::to_string(shape.heads) + " heads, width " + std::to_string(shape.width) + ", "
        + std::string(nameOf(shape.precision));
    chart.xLabel = "patches";
    chart.yLabel = "MiB";
    for (const LayerPath path : plan.paths) {
        ChartSeries series{std::string(nameOf(path)), {}, {}};
        double most = 0;
        for (const SweepPoint& point : points)
            if (point.path == path) {
                series.points.push_back(
                    {double(point.patches), double(point.figures.extraPeakBytes) / kMiB});
                most = std::max(most, double(point.patches));
            }
        if (const Fit* fit = describingFit(fits, path))
            for (int step = 0; step <= kSteps; ++step) {
                const double patches = most * step / kSteps;
                series.curve.push_back({patches, fit->at(patches) / kMiB});
            }
        chart.series.push_back(std::move(series));
    }
    return chart;
}

} // namespace maskscope
