// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/event_json.h"

#include "app/cli/terminal.h"
#include "core/mask/rle.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

double rounded(double value) {
    return static_cast<double>(static_cast<std::int64_t>(value * 1000 + (value < 0 ? -0.5 : 0.5)))
        / 1000;
}

Json jsonOf(const Mask& mask, int imageIndex) {
    return {{"image", imageIndex}, {"index", mask.index}, {"token_index", mask.tokenIndex},
        {"label", mask.label}, {"score", rounded(mask.score)}, {"area", mask.area},
        {"bbox", mask.bbox},
        {"rle",
            {{"size", {mask.height, mask.width}}, {"counts", compressedCounts(encodeRle(mask))}}}};
}

Json jsonOf(const MemorySample& sample) {
    Json categories;
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        categories[std::string(nameOf(static_cast<MemoryCategory>(i)))] = sample.byCategory[i];
    return {{"device", sample.device}, {"live", sample.live}, {"reserved", orNull(sample.reserved)},
        {"process", orNull(sample.process)}, {"device_used", orNull(sample.deviceUsed)},
        {"device_total", orNull(sample.deviceTotal)}, {"by_category", categories}};
}

Json jsonOf(const Report& report, int imageIndex) {
    Json candidates = Json::array();
    for (const auto& mask : report.candidates)
        candidates.push_back(jsonOf(*mask, imageIndex));
    Json peaks = Json::object();
    for (const auto& [stage, bytes] : report.extraPeakBytes)
        peaks[std::string(nameOf(stage))] = bytes;
    Json times = Json::object();
    for (const auto& [stage, ms] : report.ms)
        times[std::string(nameOf(stage))] = rounded(ms);
    return {{"outcome", report.outcome == Outcome::Finished ? "finished" : "cancelled"},
        {"answer", report.answer}, {"tokens", report.tokens}, {"masks", report.masks.size()},
        {"candidates", candidates},
        {"attention",
            {{"requested", nameOf(report.attention.requested)},
                {"used", nameOf(report.attention.used)}, {"reason", report.attention.reason}}},
        {"kv_cache", report.kvCache == KvCacheMode::On ? "on" : "off"},
        {"dtype", nameOf(report.precision)}, {"device", report.device}, {"patches", report.patches},
        {"predicted_peak_bytes", report.predictedPeakBytes}, {"extra_peak_bytes", peaks},
        {"ms", times}, {"time_to_first_token_ms", rounded(report.timeToFirstTokenMs)},
        {"tokens_per_s", rounded(report.tokensPerSecond)}, {"seed", report.seed}};
}

Json named(std::string_view name, const Event& event, const Json& fields) {
    Json json = {{"event", name}, {"t_ms", rounded(event.tMs)}};
    json.update(fields);
    return json;
}

} // namespace

std::string_view nameOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage:
        return "usage";
    case ErrorKind::Input:
        return "input";
    case ErrorKind::Model:
        return "model";
    case ErrorKind::Memory:
        return "memory";
    case ErrorKind::Device:
        return "device";
    case ErrorKind::Internal:
        break;
    }
    return "internal";
}

nlohmann::ordered_json jsonOf(const Error& error) {
    return {{"event", "error"}, {"kind", nameOf(error.kind)}, {"message", error.sentence}};
}

nlohmann::ordered_json jsonOf(const Event& event, int imageIndex) {
    return std::visit(
        Overloaded{
            [&](const StageBegan& began) {
                return named("stage", event, {{"stage", nameOf(began.stage)}, {"phase", "begin"}});
            },
            [&](const StageEnded& ended) {
                return named("stage", event,
                    {{"stage", nameOf(ended.stage)}, {"phase", "end"}, {"ms", rounded(ended.ms)},
                        {"extra_peak_bytes", ended.extraPeakBytes},
                        {"live_bytes", ended.liveBytes}});
            },
            [&](const StageProgress&) { return Json(nullptr); },
            [&](const TokenProduced& token) {
                return named("token", event,
                    {{"id", token.id}, {"text", token.text}, {"index", token.index}});
            },
            [&](const MaskProduced& produced) {
                return named("mask", event, jsonOf(*produced.mask, imageIndex));
            },
            [&](const MemoryMeasured& measured) {
                return named("memory", event, jsonOf(measured.sample));
            },
            [&](const Done& done) {
                Json fields = {{"image", imageIndex}};
                fields.update(jsonOf(*done.report, imageIndex));
                return named("done", event, fields);
            },
            [&](const Failed& failed) {
                Json json = jsonOf(failed.error);
                json["t_ms"] = rounded(event.tMs);
                json["image"] = imageIndex;
                return json;
            },
        },
        event.payload);
}

void tell(const Error& error, bool json, std::optional<int> image) {
    auto event = jsonOf(error);
    if (image)
        event["image"] = *image;
    if (json)
        std::cout << lineOf(event) << '\n' << std::flush;
    std::cerr << "maskscope-cli: " << oneLine(error.sentence) << '\n';
}

std::string lineOf(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace maskscope
