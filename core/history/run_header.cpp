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

RunSettings settingsFrom(const JsonField& json) {
    RunSettings settings;
    settings.attention = json.at("attention").named(&attentionPathFrom);
    if (json.has("ring_devices"))
        for (const JsonField& device : json.at("ring_devices").elements())
            settings.ringDevices.push_back(device.text());
    settings.kvCache = json.at("kv_cache").named(&kvCacheModeFrom);
    settings.maskPass = json.at("mask_pass").named(&maskPassFrom);
    settings.precision = json.at("dtype").named(&precisionFrom);
    settings.preflight = json.at("preflight").flag() ? Preflight::On : Preflight::Off;
    const int logits = json.at("logits").whole<int>();
    settings.logits = logits == 2 ? LogitRecord::Values
        : logits == 1             ? LogitRecord::Digests
                                  : LogitRecord::Off;
    settings.sampling = {json.at("temperature").number(), json.at("top_k").whole<int>(),
        json.at("top_p").number(), json.at("seed").wholeOrNull<std::uint64_t>()};
    settings.pixels = json.at("pixels").whole<std::int64_t>();
    settings.maxNewTokens = json.at("max_new_tokens").whole<int>();
    settings.threads = json.at("threads").whole<int>();
    settings.memoryLimit = json.at("memory_limit").wholeOrNull<std::int64_t>();
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

void readPrompts(const JsonField& json, RunHeader& header) {
    header.text = json.at("text").text();
    for (const JsonField& point : json.at("points").elements()) {
        const auto parts = point.elements(3);
        header.points.push_back({parts[0].number(), parts[1].number(),
            parts[2].text() == "-" ? PointSign::Negative : PointSign::Positive});
    }
    for (const JsonField& box : json.at("boxes").elements()) {
        const auto corners = box.elements(4);
        header.boxes.push_back(
            {corners[0].number(), corners[1].number(), corners[2].number(), corners[3].number()});
    }
    header.meaning = json.at("meaning").whole<int>();
}

void readModel(const JsonField& json, RunHeader& header) {
    header.modelName = json.at("name").text();
    header.modelFolder = json.at("folder").text();
    // Records of before they were kept lack them.
    if (json.has("digest"))
        header.modelDigest = json.at("digest").text();
    if (json.has("training_pixels"))
        header.trainingPixels = json.at("training_pixels").whole<std::int64_t>();
}

RunHeader headerFrom(const JsonField& json) {
    if (json.at("event").text() != "run")
        throw Failure(ErrorKind::Input, "it is not the beginning of a run");
    if (const int format = json.at("format").whole<int>(); format > kFormat)
        throw Failure(ErrorKind::Input,
            "it has the format " + std::to_string(format) + " of a later program; this one knows "
                + std::to_string(kFormat));
    RunHeader header;
    header.title = json.at("title").text();
    header.started = json.at("started").text();
    header.programVersion = json.at("program").text();
    const JsonField machine = json.at("machine");
    header.machine = {machine.at("processor").text(), machine.at("capability").text(),
        machine.at("torch").text(), machine.at("threads").whole<int>()};
    header.device = json.at("device").text();
    readModel(json.at("model"), header);
    const JsonField image = json.at("image");
    const auto size = image.at("size").elements(2);
    header.image = {image.at("path").text(), size[0].whole<int>(), size[1].whole<int>(),
        image.at("digest").text()};
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
                {"digest", header.modelDigest}, {"training_pixels", header.trainingPixels}}},
        {"image",
            {{"path", image.path}, {"size", {image.width, image.height}},
                {"digest", image.digest}}},
        {"request", promptsOf(header)}, {"settings", jsonOf(header.settings)}};
}

RunHeader runHeaderFrom(const nlohmann::json& json, std::string_view what) {
    try {
        return headerFrom(JsonField(json));
    } catch (const Failure& failure) {
        throw Failure(ErrorKind::Input,
            std::string(what) + " cannot be read: " + failure.error().sentence + ".");
    }
}

} // namespace maskscope
