// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep.h"

#include "core/base/cancelled.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>

namespace maskscope {

namespace {

/// `rest` are the sizes behind the one that failed.
Error withLeftOut(Error error, LayerPath path, std::span<const std::int64_t> rest) {
    if (rest.empty())
        return error;
    error.sentence += " Left out of " + std::string(nameOf(path)) + ':';
    for (const std::int64_t patches : rest)
        error.sentence += ' ' + std::to_string(patches);
    error.sentence += '.';
    return error;
}

} // namespace

std::vector<std::int64_t> sizesOf(const SweepPlan& plan) {
    std::vector<std::int64_t> sizes = plan.patches;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

LayerPoint pointAt(const SweepPlan& plan, LayerPath path, std::int64_t patches) {
    LayerPoint point = plan.point;
    point.shape.path = path;
    point.shape.patches = patches;
    return point;
}

std::vector<SweepPoint> runSweep(const SweepPlan& plan, const MeasurePoint& measure,
    const SweepSink& sink, const std::stop_token& stop) {
    const std::vector<std::int64_t> sizes = sizesOf(plan);
    if (sizes.empty() || plan.paths.empty())
        throw Failure(ErrorKind::Usage, "A sweep needs at least one path and one size.");
    for (const LayerPath path : plan.paths)
        for (const std::int64_t patches : sizes)
            checkLayer(pointAt(plan, path, patches).shape);

    std::vector<SweepPoint> points;
    const auto all = double(sizes.size() * plan.paths.size());
    for (std::size_t p = 0; p < plan.paths.size(); ++p)
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            throwIfStopped(stop);
            const LayerPath path = plan.paths[p];
            sink.onBegin(path, sizes[i], double(p * sizes.size() + i) / all);
            try {
                points.push_back({path, sizes[i], measure(pointAt(plan, path, sizes[i]), stop)});
            } catch (const Failure& failure) {
                // A process that died says nothing of the other points.
                if (failure.kind() != ErrorKind::Memory && failure.kind() != ErrorKind::Internal)
                    throw;
                sink.onEnd({path, sizes[i],
                    withLeftOut(failure.error(), path, std::span(sizes).subspan(i + 1))});
                break;
            }
            sink.onPoint(points.back());
        }
    return points;
}

std::vector<SweepFit> fitsOf(const std::vector<SweepPoint>& points) {
    std::vector<SweepFit> fits;
    for (auto begin = points.begin(); begin != points.end();) {
        const LayerPath path = begin->path;
        const auto end = std::find_if(
            begin, points.end(), [&](const SweepPoint& point) { return point.path != path; });
        std::vector<FitPoint> peaks;
        std::set<std::int64_t> sizes;
        for (auto point = begin; point != end; ++point) {
            peaks.push_back({point->patches, point->figures.extraPeakBytes});
            sizes.insert(point->patches);
        }
        for (const int degree : {1, 2})
            if (int(sizes.size()) > degree + 1)
                fits.push_back({path, fitPolynomial(peaks, degree).value()});
        begin = end;
    }
    return fits;
}

const Fit* describingFit(const std::vector<SweepFit>& fits, LayerPath path) {
    constexpr double kLeast = 0.99; ///< of what differs between the points
    const int degree = materialises(path) ? 2 : 1;
    const auto found = std::ranges::find_if(fits, [&](const SweepFit& entry) {
        return entry.path == path && entry.fit.degree() == degree && entry.fit.r2 >= kLeast;
    });
    return found == fits.end() ? nullptr : &found->fit;
}

std::vector<SweepPrediction> predictionsOf(
    const SweepRecord& record, const std::vector<std::int64_t>& sizes) {
    const std::vector<SweepFit> fits = fitsOf(record.points);
    std::vector<SweepPrediction> predictions;
    for (const LayerPath path : record.plan.paths)
        for (const std::int64_t patches : sizes) {
            const LayerShape shape = pointAt(record.plan, path, patches).shape;
            SweepPrediction prediction{
                path, patches, layerPeakBytes(shape, record.plan.point.threads), {}};
            const Fit* fit = describingFit(fits, path);
            if (const double fitted = fit ? fit->at(double(patches)) : 0; fitted >= 1)
                prediction.fittedBytes = static_cast<std::int64_t>(fitted);
            predictions.push_back(prediction);
        }
    return predictions;
}

} // namespace maskscope
