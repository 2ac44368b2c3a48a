// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_header.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/json_field.h"

#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>
#include <span>

namespace maskscope {

namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

constexpr int kFormat = 1;

OrderedJson jsonOf(const RunSettings& settings) {
    const Sampling& sampling = settings.sampling;
    return {{"attention", nameOf(settings.attention)}, {"ring_devices", settings.ringDevices},
        {"kv_cache", nameOf(settings.kvCache)}, {"mask_pass", nameOf(settings.maskPass)},
        {"dtype", nameOf(settings.precision)}, {"preflight", settings.preflight == Preflight::On},
        {"logits", settings.logits}, {"temperature", sampling.temperature},
        {"top_k", sampling.topK}, {"top_p", sampling.topP}, {"seed", orNull(sampling.seed)},
        {"pixels", settings.pixels}, {"max_new_tokens", settings.maxNewTokens},
        {"threads", settings.threads}, {"memory_limit", orNull(settings.memoryLimit)}};
}

RunSettings settingsFrom(const Json& json) {
    RunSettings settings;
    settings.attention = namedIn(json, "attention", &attentionPathFrom);
    settings.ringDevices = json.value("ring_devices", settings.ringDevices);
    settings.kvCache = namedIn(json, "kv_cache", &kvCacheModeFrom);
    settings.maskPass = namedIn(json, "mask_pass", &maskPassFrom);
    settings.precision = namedIn(json, "dtype", &precisionFrom);
    settings.preflight = json.at("preflight").get<bool>() ? Preflight::On : Preflight::Off;
    const int logits = json.at("logits");
    settings.logits = logits == 2 ? LogitRecord::Values
        : logits == 1             ? LogitRecord::Digests
                                  : LogitRecord::Off;
    settings.sampling = {json.at("temperature"), json.at("top_k"), json.at("top_p"),
        optionalIn<std::uint64_t>(json, "seed")};
    settings.pixels = json.at("pixels");
    settings.maxNewTokens = json.at("max_new_tokens");
    settings.threads = json.at("threads");
    settings.memoryLimit = optionalIn<std::int64_t>(json, "memory_limit");
    return settings;
}

OrderedJson promptsOf(const RunHeader& header) {
    OrderedJson points = OrderedJson::array(), boxes = OrderedJson::array();
    for (const PointPrompt& point : header.points)
        points.push_back({point.x, point.y, point.sign == PointSign::Positive ? "+" : "-"});
    for (const BoxPrompt& box : header.boxes)
        boxes.push_back({box.x0, box.y0, box.x1, box.y1});
    return {
        {"text", header.text}, {"points", points}, {"boxes", boxes}, {"meaning", header.meaning}};
}

void readPrompts(const Json& json, RunHeader& header) {
    header.text = json.at("text");
    for (const Json& point : json.at("points"))
        header.points.push_back({point.at(0), point.at(1),
            point.at(2) == "-" ? PointSign::Negative : PointSign::Positive});
    for (const Json& box : json.at("boxes"))
        header.boxes.push_back({box.at(0), box.at(1), box.at(2), box.at(3)});
    header.meaning = json.at("meaning");
}

RunHeader headerFrom(const Json& json) {
    if (json.at("event") != "run")
        throw Failure(ErrorKind::Input, "it is not the beginning of a run");
    if (const int format = json.at("format"); format > kFormat)
        throw Failure(ErrorKind::Input,
            "it has the format " + std::to_string(format) + " of a later program; this one knows "
                + std::to_string(kFormat));
    RunHeader header;
    header.title = json.at("title");
    header.started = json.at("started");
    header.programVersion = json.at("program");
    const Json& machine = json.at("machine");
    header.machine = {machine.at("processor"), machine.at("capability"), machine.at("torch"),
        machine.at("threads")};
    header.device = json.at("device");
    header.modelName = json.at("model").at("name");
    header.modelFolder = json.at("model").at("folder");
    header.modelDigest = json.at("model").value("digest", "");
    const Json& image = json.at("image");
    header.image
        = {image.at("path"), image.at("size").at(0), image.at("size").at(1), image.at("digest")};
    readPrompts(json.at("request"), header);
    header.settings = settingsFrom(json.at("settings"));
    return header;
}

} // namespace

std::string utcNow() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::string digestOf(const Image& image) {
    return digestOf(std::as_bytes(std::span(image.rgb)));
}

Request requestOf(const RunHeader& header) {
    Request request;
    request.text = header.text;
    request.points = header.points;
    request.boxes = header.boxes;
    request.meaning = header.meaning;
    request.settings = header.settings;
    return request;
}

RunHeader headerOf(const Request& request) {
    RunHeader header;
    header.text = request.text;
    header.points = request.points;
    header.boxes = request.boxes;
    header.meaning = request.meaning;
    header.settings = request.settings;
    return header;
}

nlohmann::ordered_json jsonOf(const RunHeader& header) {
    const RunMachine& machine = header.machine;
    const RunImage& image = header.image;
    return {{"event", "run"}, {"format", kFormat}, {"title", header.title},
        {"started", header.started}, {"program", header.programVersion},
        {"machine",
            {{"processor", machine.processor}, {"capability", machine.capability},
                {"torch", machine.torchVersion}, {"threads", machine.threads}}},
        {"device", header.device},
        {"model",
            {{"name", header.modelName}, {"folder", header.modelFolder},
                {"digest", header.modelDigest}}},
        {"image",
            {{"path", image.path}, {"size", {image.width, image.height}},
                {"digest", image.digest}}},
        {"request", promptsOf(header)}, {"settings", jsonOf(header.settings)}};
}

RunHeader runHeaderFrom(const nlohmann::json& json, std::string_view what) {
    try {
        return headerFrom(json);
    } catch (const Failure& failure) {
        throw Failure(ErrorKind::Input,
            std::string(what) + " cannot be read: " + failure.error().sentence + ".");
    } catch (const Json::exception& problem) {
        throw Failure(ErrorKind::Input,
            std::string(what) + " is not the beginning of a run (" + problem.what() + ").");
    }
}

} // namespace maskscope
