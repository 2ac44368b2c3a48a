// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/measure/fit.h"
#include "core/measure/layer_point.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// Which points are measured: every path over every size, the sizes from small to large.
struct SweepPlan {
    std::vector<LayerPath> paths;
    std::vector<std::int64_t> patches;
    LayerPoint point; ///< the rest; its path and patches are replaced
};

struct SweepPoint {
    LayerPath path = LayerPath::Sdpa;
    std::int64_t patches = 0;
    LayerFigures figures;
};

/// Where a path ended early, because memory would not do or the process of a point died.
struct SweepEnd {
    LayerPath path = LayerPath::Sdpa;
    std::int64_t patches = 0;
    Error error; ///< names the larger sizes that were left out, too
};

/// A polynomial through a path's extra peaks.
struct SweepFit {
    LayerPath path = LayerPath::Sdpa;
    Fit fit;
};

/// What a size that was not run would take.
struct SweepPrediction {
    LayerPath path = LayerPath::Sdpa;
    std::int64_t patches = 0;
    std::int64_t predictedBytes = 0; ///< from shapes
    std::optional<std::int64_t> fittedBytes; ///< from the describing fit
};

/// A sweep as far as it has come, for those who show or write it.
struct SweepRecord {
    SweepPlan plan;
    std::vector<SweepPoint> points;
    std::vector<SweepEnd> ends;
    std::string machine; ///< where it was measured and by which LibTorch
    std::vector<SweepPrediction> predictions = {};
};

struct SweepSink {
    std::function<void(LayerPath, std::int64_t patches, double fraction)> onBegin;
    std::function<void(const SweepPoint&)> onPoint;
    std::function<void(const SweepEnd&)> onEnd;
};

/// How one point is measured: measureInChild(), bound to a program.
using MeasurePoint = std::function<LayerFigures(const LayerPoint&, const std::stop_token&)>;

/// Increasing, each once.
std::vector<std::int64_t> sizesOf(const SweepPlan& plan);

/// The rest of the plan with one path and one size.
LayerPoint pointAt(const SweepPlan& plan, LayerPath path, std::int64_t patches);

/// Throws Failure before anything is measured when the plan cannot be meant, later for errors that
/// are neither of memory nor of a process; Cancelled when it was stopped, after the sink got the
/// finished points.
std::vector<SweepPoint> runSweep(const SweepPlan& plan, const MeasurePoint& measure,
    const SweepSink& sink, const std::stop_token& stop);

/// Lines and parabolas through the peaks of each path, in the order of the paths: those with more
/// sizes than coefficients, because others run through any points.
std::vector<SweepFit> fitsOf(const std::vector<SweepPoint>& points);

/// The law of a path: the parabola for paths that hold P x P matrices, else the line. Null where
/// there are too few sizes, or where the points do not lie on it.
const Fit* describingFit(const std::vector<SweepFit>& fits, LayerPath path);

/// For every path over `sizes`, which were not run; from the fits too where they describe the path
/// and give something. The plan's threads are resolved.
std::vector<SweepPrediction> predictionsOf(
    const SweepRecord& record, const std::vector<std::int64_t>& sizes);

} // namespace maskscope
