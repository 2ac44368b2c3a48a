// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_file.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/image/chart_file.h"
#include "core/measure/sweep_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <map>
#include <sstream>
#include <string>

namespace maskscope {

namespace {

constexpr double kMiB = 1 << 20;
constexpr int kSteps = 100; ///< of a curve

/// "32120 patches, not run: mha 30.87 GiB, sdpa 142.94 MiB": a line for each size.
std::vector<std::string> notesOf(const std::vector<SweepPrediction>& predictions) {
    std::map<std::int64_t, std::string> notes;
    for (const SweepPrediction& prediction : predictions) {
        std::string& note = notes[prediction.patches];
        note += (note.empty()
                        ? std::to_string(prediction.patches) + " patches, not run, from shapes: "
                        : std::string(", "))
            + std::string(nameOf(prediction.path)) + ' ' + bytesText(prediction.predictedBytes, 2);
    }
    std::vector<std::string> lines;
    for (const auto& [patches, note] : notes)
        lines.push_back(note);
    return lines;
}

/// "mha, 128.0 bytes x P^2".
std::string titleOf(LayerPath path, const Fit* fit) {
    const std::string name(nameOf(path));
    if (!fit)
        return name;
    if (fit->degree() == 1)
        return name + ", " + bytesText(std::llround(fit->slopePer1024()), 2) + " per 1024 patches";
    std::ostringstream square;
    square << std::fixed << std::setprecision(1) << fit->coefficients[2];
    return name + ", " + square.str() + " bytes x P^2";
}

} // namespace

Chart chartOf(const SweepRecord& record) {
    const LayerShape& shape = record.plan.point.shape;
    const std::vector<SweepFit> fits = fitsOf(record.points);
    Chart chart;
    chart.title = "Extra peak of "
        + (shape.blocks > 0 ? std::to_string(shape.blocks) + " decoder blocks"
                            : std::string("one attention layer"))
        + ", " + std::to_string(shape.heads) + " heads, width " + std::to_string(shape.width) + ", "
        + std::string(nameOf(shape.precision));
    chart.xLabel = "patches";
    chart.yLabel = "MiB";
    for (const LayerPath path : record.plan.paths) {
        const Fit* fit = describingFit(fits, path);
        ChartSeries series{titleOf(path, fit), {}, {}};
        double most = 0;
        for (const SweepPoint& point : record.points)
            if (point.path == path) {
                series.points.push_back(
                    {double(point.patches), double(point.figures.extraPeakBytes) / kMiB});
                most = std::max(most, double(point.patches));
            }
        if (fit)
            for (int step = 0; step <= kSteps; ++step) {
                const double patches = most * step / kSteps;
                series.curve.push_back({patches, fit->at(patches) / kMiB});
            }
        chart.series.push_back(std::move(series));
    }
    chart.notes = notesOf(record.predictions);
    if (!record.machine.empty())
        chart.notes.push_back(record.machine);
    return chart;
}

void checkSweepFile(const std::filesystem::path& path, Existing existing) {
    const std::filesystem::path ending = path.extension();
    if (ending != ".svg" && ending != ".png" && ending != ".csv" && ending != ".json")
        throw Failure(ErrorKind::Usage,
            path.string()
                + " has no ending that a sweep is written in: give a file that ends in .svg, .png,"
                  " .csv or .json.");
    checkCanWrite(path, existing);
}

void writeSweep(const SweepRecord& record, const std::filesystem::path& path, Existing existing) {
    checkSweepFile(path, existing);
    const std::filesystem::path ending = path.extension();
    if (ending == ".svg" || ending == ".png") {
        writeChart(chartOf(record), path, existing);
        return;
    }
    AtomicFile file(path);
    file.write(ending == ".csv" ? csvOf(record) : jsonOf(record));
    file.commit(existing);
}

} // namespace maskscope
