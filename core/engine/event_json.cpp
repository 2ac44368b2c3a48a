// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/event_json.h"

#include "core/base/base64.h"
#include "core/base/json_field.h"
#include "core/base/named.h"
#include "core/mask/rle.h"

#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr NameTable<ErrorKind, 6> kErrorKinds{{
    {ErrorKind::Usage, "usage"},
    {ErrorKind::Input, "input"},
    {ErrorKind::Model, "model"},
    {ErrorKind::Memory, "memory"},
    {ErrorKind::Device, "device"},
    {ErrorKind::Internal, "internal"},
}};

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

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

/// An object that is filled key by key: a braced list copies every value twice, which samples of
/// each millisecond feel.
class Fields {
public:
    explicit Fields(std::size_t most) { m_fields.reserve(most); }
    void add(std::string_view key, Json value) { m_fields.emplace_back(key, std::move(value)); }
    Json take() { return Json(std::move(m_fields)); }

private:
    Json::object_t m_fields;
};

Json jsonOf(const MemoryMeasured& measured) {
    const MemorySample& sample = measured.sample;
    Fields categories(kMemoryCategories), fields(9);
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        categories.add(nameOf(static_cast<MemoryCategory>(i)), sample.byCategory[i]);
    fields.add("event", "memory");
    fields.add("t_ms", rounded(sample.tMs)); // told later than it was so
    fields.add("device", sample.device);
    fields.add("live", sample.live);
    fields.add("reserved", orNull(sample.reserved));
    fields.add("process", orNull(sample.process));
    fields.add("device_used", orNull(sample.deviceUsed));
    fields.add("device_total", orNull(sample.deviceTotal));
    fields.add("by_category", categories.take());
    return fields.take();
}

Json jsonOf(const LogitsProduced& logits) {
    Json json = {{"of", logits.of == LogitsOf::Token ? "token" : "mask"}, {"index", logits.index},
        {"size", {logits.height, logits.width}}, {"digest", logits.digest}};
    if (logits.values)
        json["values"] = base64(std::as_bytes(std::span(*logits.values)));
    return json;
}

Json jsonOf(const Report& report, int imageIndex) {
    Json candidates = Json::array();
    for (const auto& mask : report.candidates)
        candidates.push_back(jsonOf(*mask, imageIndex));
    const auto byStage = [](const std::map<Stage, std::int64_t>& peaks) {
        Json json = Json::object();
        for (const auto& [stage, bytes] : peaks)
            json[std::string(nameOf(stage))] = bytes;
        return json;
    };
    Json times = Json::object();
    for (const auto& [stage, ms] : report.ms)
        times[std::string(nameOf(stage))] = rounded(ms);
    Json ranks = Json::array();
    for (const RankMemory& rank : report.ranks)
        ranks.push_back({{"device", rank.device}, {"peak_bytes", rank.peakBytes}});
    return {{"outcome", report.outcome == Outcome::Finished ? "finished" : "cancelled"},
        {"answer", report.answer}, {"answer_cut", report.answerCut}, {"tokens", report.tokens},
        {"masks", report.masks.size()}, {"candidates", candidates},
        {"attention",
            {{"requested", nameOf(report.attention.requested)},
                {"used", nameOf(report.attention.used)}, {"reason", report.attention.reason}}},
        {"kv_cache", nameOf(report.kvCache)}, {"dtype", nameOf(report.precision)},
        {"device", report.device}, {"patches", report.patches},
        {"predicted_peak_bytes", report.predictedPeakBytes},
        {"extra_peak_bytes", byStage(report.extraPeakBytes)},
        {"predicted_extra_peak_bytes", byStage(report.predictedExtraPeakBytes)}, {"ranks", ranks},
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
    return nameIn(kErrorKinds, kind);
}

std::optional<ErrorKind> errorKindFrom(std::string_view name) {
    return valueIn(kErrorKinds, name);
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
                    {{"id", token.id}, {"text", token.text}, {"index", token.index},
                        {"is_mask", token.isMask}});
            },
            [&](const MaskProduced& produced) {
                return named("mask", event, jsonOf(*produced.mask, imageIndex));
            },
            [&](const LogitsProduced& logits) { return named("logits", event, jsonOf(logits)); },
            [&](const MemoryMeasured& measured) { return jsonOf(measured); },
            [&](const RankMeasured& measured) {
                const RankSample& sample = measured.sample;
                Json json = named("rank_memory", event,
                    {{"rank", sample.rank}, {"live", sample.live}, {"staging", sample.staging}});
                json["t_ms"] = rounded(sample.tMs);
                return json;
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

std::string lineOf(const nlohmann::ordered_json& value) {
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace maskscope
