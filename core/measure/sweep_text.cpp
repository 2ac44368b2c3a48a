// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_text.h"

#include "core/base/json_field.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json valueOf(const SweepPoint& point) {
    const LayerFigures& figures = point.figures;
    Json json = {{"event", "point"}, {"path", nameOf(point.path)}, {"patches", point.patches},
        {"extra_peak_bytes", figures.extraPeakBytes}, {"over_load_bytes", figures.overLoadBytes},
        {"hwm_growth_bytes", orNull(figures.highWaterGrowthBytes)},
        {"predicted_bytes", figures.predictedBytes}, {"ms", figures.ms}};
    if (!figures.rankPeakBytes.empty())
        json["rank_peak_bytes"] = figures.rankPeakBytes;
    return json;
}

Json valueOf(const SweepFit& entry) {
    return {{"event", "fit"}, {"path", nameOf(entry.path)}, {"degree", entry.fit.degree()},
        {"coefficients", entry.fit.coefficients}, {"slope_per_1024", entry.fit.slopePer1024()},
        {"intercept", entry.fit.coefficients[0]}, {"r2", entry.fit.r2}};
}

Json valueOf(const SweepPrediction& prediction) {
    return {{"event", "prediction"}, {"path", nameOf(prediction.path)},
        {"patches", prediction.patches}, {"predicted_bytes", prediction.predictedBytes},
        {"fitted_bytes", orNull(prediction.fittedBytes)}};
}

Json valueOf(const SweepEnd& end) {
    return {{"event", "end"}, {"path", nameOf(end.path)}, {"patches", end.patches},
        {"message", end.error.sentence}};
}

template <class T>
Json listOf(const std::vector<T>& entries) {
    Json list = Json::array();
    for (const T& entry : entries)
        list.push_back(valueOf(entry));
    return list;
}

Json planOf(const SweepRecord& record) {
    const SweepPlan& plan = record.plan;
    const LayerPoint& point = plan.point;
    Json paths = Json::array();
    for (const LayerPath path : plan.paths)
        paths.push_back(nameOf(path));
    const int threads
        = record.points.empty() ? point.threads : record.points.front().figures.threads;
    return {{"paths", paths}, {"patches", sizesOf(plan)}, {"heads", point.shape.heads},
        {"dim", point.shape.width}, {"layers", point.shape.blocks},
        {"dtype", nameOf(point.shape.precision)}, {"threads", threads}, {"repeats", point.repeats},
        {"memory_limit_bytes", orNull(point.memoryLimit)},
        {"preflight", point.preflight == Preflight::On}, {"machine", record.machine}};
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        result += c;
        if (c == '"')
            result += c;
    }
    return result + '"';
}

} // namespace

std::string jsonLineOf(const SweepRecord& record) {
    Json json = {{"event", "sweep"}};
    json.update(planOf(record));
    return dumped(json);
}

std::string jsonLineOf(const SweepPoint& point) {
    return dumped(valueOf(point));
}

std::string jsonLineOf(const SweepFit& fit) {
    return dumped(valueOf(fit));
}

std::string jsonLineOf(const SweepPrediction& prediction) {
    return dumped(valueOf(prediction));
}

std::string jsonOf(const SweepRecord& record) {
    constexpr int kIndent = 2;
    return dumped({{"sweep", planOf(record)}, {"points", listOf(record.points)},
                      {"fits", listOf(fitsOf(record.points))}, {"ends", listOf(record.ends)},
                      {"predictions", listOf(record.predictions)}},
               kIndent)
        + '\n';
}

std::string csvOf(const SweepRecord& record) {
    const LayerShape& shape = record.plan.point.shape;
    std::ostringstream text;
    const auto begin = [&](LayerPath path, std::int64_t patches) {
        text << nameOf(path) << ',' << patches << ',' << shape.heads << ',' << shape.width << ','
             << shape.blocks << ',' << nameOf(shape.precision) << ',';
    };
    text << "path,patches,heads,dim,layers,dtype,threads,extra_peak_bytes,predicted_bytes,"
            "over_load_bytes,hwm_growth_bytes,ms,message,fitted_bytes\r\n";
    for (const SweepPoint& point : record.points) {
        const LayerFigures& figures = point.figures;
        begin(point.path, point.patches);
        text << figures.threads << ',' << figures.extraPeakBytes << ',' << figures.predictedBytes
             << ',' << figures.overLoadBytes << ',';
        if (figures.highWaterGrowthBytes)
            text << *figures.highWaterGrowthBytes;
        text << ',' << figures.ms << ",,\r\n";
    }
    for (const SweepEnd& end : record.ends) {
        begin(end.path, end.patches);
        text << ",,,,,," << quoted(end.error.sentence) << ",\r\n";
    }
    for (const SweepPrediction& prediction : record.predictions) {
        begin(prediction.path, prediction.patches);
        text << record.plan.point.threads << ",," << prediction.predictedBytes << ",,,,not run,";
        if (prediction.fittedBytes)
            text << *prediction.fittedBytes;
        text << "\r\n";
    }
    return text.str();
}

} // namespace maskscope
