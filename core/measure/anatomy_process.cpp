// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy_process.h"

#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"
#include "core/measure/point_process.h"

#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::json;

Json jsonOf(const AliveTensor& tensor) {
    return {{"op", tensor.op}, {"shape", tensor.shape}, {"dtype", tensor.dtype},
        {"bytes", tensor.bytes}, {"module", tensor.module}, {"copies", tensor.copies}};
}

Json jsonOf(const Anatomy& anatomy) {
    Json tensors = Json::array();
    for (const AliveTensor& tensor : anatomy.tensors)
        tensors.push_back(jsonOf(tensor));
    return {{"peak", anatomy.peakBytes}, {"extra", anatomy.extraPeakBytes}, {"tensors", tensors},
        {"before", anatomy.before}, {"unattributed", anatomy.unattributed},
        {"patches", anatomy.patches}, {"heads", anatomy.heads}};
}

Anatomy anatomyFrom(const Json& json) {
    Anatomy anatomy;
    anatomy.peakBytes = json.at("peak");
    anatomy.extraPeakBytes = json.at("extra");
    for (const Json& tensor : json.at("tensors"))
        anatomy.tensors.push_back({tensor.at("op"), tensor.at("shape"), tensor.at("dtype"),
            tensor.at("bytes"), tensor.at("module"), tensor.at("copies")});
    anatomy.before = json.at("before").get<BytesByCategory>();
    anatomy.unattributed = json.at("unattributed");
    anatomy.patches = json.at("patches");
    anatomy.heads = json.at("heads");
    return anatomy;
}

Json jsonOf(const AnatomyMoment& moment) {
    return {{"stage", moment.stage ? Json(nameOf(*moment.stage)) : Json(nullptr)},
        {"live", moment.live ? Json(*moment.live) : Json(nullptr)}};
}

AnatomyMoment momentFrom(const Json& json) {
    AnatomyMoment moment;
    if (!json.at("stage").is_null())
        moment.stage = stageFrom(json.at("stage").get<std::string>());
    if (!json.at("live").is_null())
        moment.live = json.at("live").get<BytesByCategory>();
    return moment;
}

std::string specificationOf(const AnatomyQuestion& question) {
    Json json;
    if (const auto* layer = std::get_if<LayerAnatomyQuestion>(&question)) {
        LayerPoint point;
        point.shape = layer->shape;
        point.threads = layer->threads;
        json["layer"] = jsonOf(point);
    } else {
        const auto& run = std::get<RunAnatomyQuestion>(question);
        json["run"] = Json(jsonOf(run.run));
        json["moment"] = jsonOf(run.moment);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string textOf(const AnatomyQuestion& question) {
    if (const auto* layer = std::get_if<LayerAnatomyQuestion>(&question))
        return "Looking into " + textOf(layer->shape);
    return "Looking into the run";
}

Anatomy taken(const Json& json, const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write) {
    if (json.contains("layer")) {
        const LayerPoint point = layerPointFrom(json.at("layer"));
        return layerAnatomy(point.shape, {point.threads, {}, Preflight::On});
    }
    const RunHeader header = runHeaderFrom(json.at("run"), "The specification of a run");
    Request request = requestOf(header);
    request.settings.logits = LogitRecord::Off;
    request.images = {std::make_shared<const Image>(readImage(header.image.path))};
    const EventSink tell = [&](const Event& event) {
        if (const auto* began = std::get_if<StageBegan>(&event.payload)) {
            Json line;
            line["stage"] = nameOf(began->stage);
            write(line.dump());
        }
    };
    return requestAnatomyAt(header.modelFolder, request, momentFrom(json.at("moment")), tell);
}

} // namespace

Anatomy anatomyInChild(const std::filesystem::path& program, const AnatomyQuestion& question,
    const std::function<void(Stage)>& onStage, const std::stop_token& stop) {
    Json answer;
    const ChildEnd end = runChild(
        program, {std::string(kAnatomyCommand), specificationOf(question)},
        [&](std::string_view line) {
            answer = Json::parse(line, nullptr, false);
            if (!answer.is_object() || !answer.contains("stage"))
                return;
            if (const auto stage = stageFrom(answer.at("stage").get<std::string>()))
                onStage(*stage);
        },
        stop);
    if (end.stopped)
        throw Cancelled();
    if (answer.is_object() && answer.contains("anatomy"))
        return anatomyFrom(answer.at("anatomy"));
    if (answer.is_object() && answer.contains("sentence"))
        throw Failure(answer.at("kind").get<ErrorKind>(), answer.at("sentence"));
    throw Failure(errorOfDeath(end, textOf(question)));
}

void serveAnatomy(std::string_view specification,
    const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write) {
    Json answer;
    try {
        answer["anatomy"] = jsonOf(taken(Json::parse(specification), readImage, write));
    } catch (...) {
        const Error error = errorOf(std::current_exception());
        answer = {{"kind", error.kind}, {"sentence", error.sentence}};
    }
    write(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace maskscope
