// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/point_process.h"

#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/json_field.h"

#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::json;

Json jsonOf(const LayerFigures& figures) {
    return {{"extra", figures.extraPeakBytes}, {"over_load", figures.overLoadBytes},
        {"high_water", orNull<Json>(figures.highWaterGrowthBytes)},
        {"predicted", figures.predictedBytes}, {"ms", figures.ms}, {"threads", figures.threads},
        {"ranks", figures.rankPeakBytes}};
}

LayerFigures figuresFrom(const Json& json) {
    return {json.at("extra"), json.at("over_load"),
        JsonField(json).at("high_water").wholeOrNull<std::int64_t>(), json.at("predicted"),
        json.at("ms"), json.at("threads"), json.at("ranks").get<std::vector<std::int64_t>>()};
}

Json served(std::string_view specification) {
    try {
        return {{"figures", jsonOf(measureLayer(layerPointFrom(Json::parse(specification))))}};
    } catch (...) {
        const Error error = errorOf(std::current_exception());
        return {{"kind", error.kind}, {"sentence", error.sentence}};
    }
}

} // namespace

Json jsonOf(const LayerPoint& point) {
    const LayerShape& shape = point.shape;
    return {{"path", shape.path}, {"patches", shape.patches}, {"heads", shape.heads},
        {"width", shape.width}, {"blocks", shape.blocks}, {"precision", shape.precision},
        {"ring_devices", shape.ringDevices}, {"threads", point.threads}, {"repeats", point.repeats},
        {"memory_limit", orNull<Json>(point.memoryLimit)}, {"preflight", point.preflight}};
}

LayerPoint layerPointFrom(const Json& json) {
    LayerPoint point;
    point.shape = {json.at("path").get<LayerPath>(), json.at("patches"), json.at("heads"),
        json.at("width"), json.at("blocks"), json.at("precision").get<Precision>(),
        json.at("ring_devices").get<std::vector<std::string>>()};
    point.threads = json.at("threads");
    point.repeats = json.at("repeats");
    point.memoryLimit = JsonField(json).at("memory_limit").wholeOrNull<std::int64_t>();
    point.preflight = json.at("preflight").get<Preflight>();
    return point;
}

std::string pointSpecification(const LayerPoint& point) {
    return jsonOf(point).dump();
}

LayerFigures measureInChild(
    const std::filesystem::path& program, const LayerPoint& point, const std::stop_token& stop) {
    Json answer;
    const ChildEnd end = runChild(
        program, {std::string(kPointCommand), pointSpecification(point)},
        [&](std::string_view line) { answer = Json::parse(line, nullptr, false); }, stop);
    if (end.stopped)
        throw Cancelled();
    if (!answer.is_object())
        throw Failure(errorOfDeath(end, textOf(point.shape)));
    if (answer.contains("figures"))
        return figuresFrom(answer.at("figures"));
    throw Failure(answer.at("kind").get<ErrorKind>(), answer.at("sentence"));
}

std::string servePoint(std::string_view specification) {
    return served(specification).dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace maskscope
