// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/event_reader.h"

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/base/json_field.h"
#include "core/base/strict_json.h"
#include "core/engine/event_json.h"
#include "core/mask/rle.h"
#include "core/ring/ring_devices.h"

#include <cstring>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::json;

/// What a field holds is not what it should be; the reader says where.
[[noreturn]] void refuse(const std::string& reason) {
    throw Failure(ErrorKind::Input, reason);
}

/// A few runs of a file may stand for any number of pixels.
constexpr std::int64_t kMostMaskPixels = 1'000'000'000;

MemorySample sampleFrom(const Json& json, double tMs) {
    MemorySample sample;
    sample.tMs = tMs;
    sample.device = json.at("device");
    sample.live = json.at("live");
    const Json& categories = json.at("by_category");
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        sample.byCategory[i] = categories.at(std::string(nameOf(static_cast<MemoryCategory>(i))))
                                   .get<std::int64_t>();
    sample.reserved = optionalIn<std::int64_t>(json, "reserved");
    sample.process = optionalIn<std::int64_t>(json, "process");
    sample.deviceUsed = optionalIn<std::int64_t>(json, "device_used");
    sample.deviceTotal = optionalIn<std::int64_t>(json, "device_total");
    return sample;
}

RankSample rankSampleFrom(const Json& json) {
    RankSample sample{json.at("t_ms"), json.at("rank"), json.at("live"), json.at("staging")};
    if (sample.rank < 0 || sample.rank >= kMostRanks)
        refuse("its \"rank\" is none of 0 to " + std::to_string(kMostRanks - 1));
    return sample;
}

EventPayload stageFromJson(const Json& json) {
    const Stage stage = namedIn(json, "stage", &stageFrom);
    if (json.at("phase") == "begin")
        return StageBegan{stage};
    return StageEnded{stage, json.at("ms"), json.at("extra_peak_bytes"), json.at("live_bytes")};
}

LogitsProduced logitsFrom(const Json& json) {
    LogitsProduced logits;
    logits.of = json.at("of") == "mask" ? LogitsOf::Mask : LogitsOf::Token;
    logits.index = json.at("index");
    logits.height = json.at("size").at(0);
    logits.width = json.at("size").at(1);
    logits.digest = json.at("digest");
    if (!json.contains("values"))
        return logits;
    const auto bytes = bytesOfBase64(json.at("values").get_ref<const std::string&>());
    const std::int64_t count = std::int64_t(logits.height) * logits.width;
    if (!bytes || logits.height < 1 || logits.width < 1
        || std::int64_t(bytes->size()) != count * std::int64_t(sizeof(float)))
        refuse("its \"values\" are not " + std::to_string(count) + " numbers in base64");
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    logits.values = std::make_shared<const std::vector<float>>(std::move(values));
    return logits;
}

AttentionReport attentionFrom(const Json& json) {
    return {namedIn(json, "requested", &attentionPathFrom),
        namedIn(json, "used", &attentionPathFrom), json.at("reason")};
}

template <class T>
std::map<Stage, T> byStage(const Json& json) {
    std::map<Stage, T> values;
    for (const auto& [name, value] : json.items())
        if (const auto stage = stageFrom(name))
            values[*stage] = value.template get<T>();
    return values;
}

} // namespace

std::shared_ptr<const Mask> EventReader::maskFrom(const Json& json) {
    const Rle rle = rleFromJson(json.at("rle"), "its mask");
    m_maskPixels += std::int64_t(rle.width) * rle.height;
    if (m_maskPixels > kMostMaskPixels)
        refuse("its masks have more than " + std::to_string(kMostMaskPixels) + " pixels in all");
    auto mask = std::make_shared<Mask>(decodeRle(rle));
    mask->label = json.at("label");
    mask->score = json.at("score");
    mask->imageIndex = json.at("image");
    mask->index = json.at("index");
    mask->tokenIndex = json.at("token_index");
    return mask;
}

std::shared_ptr<const Report> EventReader::reportFrom(const Json& json) {
    auto report = std::make_shared<Report>();
    report->outcome = json.at("outcome") == "cancelled" ? Outcome::Cancelled : Outcome::Finished;
    report->answer = json.at("answer");
    report->answerCut = json.at("answer_cut");
    report->tokens = json.at("tokens").get<std::vector<int>>();
    report->masks = std::exchange(m_masks, {});
    for (const Json& candidate : json.at("candidates"))
        report->candidates.push_back(maskFrom(candidate));
    m_maskPixels = 0;
    report->attention = attentionFrom(json.at("attention"));
    report->kvCache = namedIn(json, "kv_cache", &kvCacheModeFrom);
    report->precision = namedIn(json, "dtype", &precisionFrom);
    report->device = json.at("device");
    report->patches = json.at("patches");
    report->predictedPeakBytes = json.at("predicted_peak_bytes");
    report->extraPeakBytes = byStage<std::int64_t>(json.at("extra_peak_bytes"));
    report->predictedExtraPeakBytes
        = byStage<std::int64_t>(json.value("predicted_extra_peak_bytes", Json::object()));
    for (const Json& rank : json.value("ranks", Json::array()))
        report->ranks.push_back({rank.at("device"), rank.at("peak_bytes")});
    report->ms = byStage<double>(json.at("ms"));
    report->timeToFirstTokenMs = json.at("time_to_first_token_ms");
    report->tokensPerSecond = json.at("tokens_per_s");
    report->seed = json.at("seed");
    return report;
}

std::optional<EventPayload> EventReader::payloadFrom(const Json& json) {
    const auto& kind = json.at("event").get_ref<const std::string&>();
    if (kind == "stage")
        return stageFromJson(json);
    if (kind == "token")
        return TokenProduced{json.at("id"), json.at("text"), json.at("index"), json.at("is_mask")};
    if (kind == "mask") {
        m_masks.push_back(maskFrom(json));
        return MaskProduced{m_masks.back()};
    }
    if (kind == "logits")
        return logitsFrom(json);
    if (kind == "memory")
        return MemoryMeasured{sampleFrom(json, json.at("t_ms"))};
    if (kind == "rank_memory")
        return RankMeasured{rankSampleFrom(json)};
    if (kind == "done")
        return Done{reportFrom(json)};
    if (kind == "error") {
        m_masks.clear();
        m_maskPixels = 0;
        return Failed{{namedIn(json, "kind", &errorKindFrom), json.at("message")}};
    }
    return std::nullopt;
}

std::optional<Event> EventReader::read(std::string_view line, std::uint64_t request) {
    ++m_line;
    if (line.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return std::nullopt;
    const std::string where = m_what + ", line " + std::to_string(m_line);
    try {
        const Json json = parseStrictJson(line, where);
        if (auto payload = payloadFrom(json))
            return Event{request, json.value("t_ms", 0.0), std::move(*payload)};
        return std::nullopt;
    } catch (const Failure& failure) {
        const std::string& reason = failure.error().sentence;
        throw Failure(ErrorKind::Input,
            reason.starts_with(where) ? reason : where + " is not an event: " + reason + ".");
    } catch (const nlohmann::json::exception& problem) {
        throw Failure(
            ErrorKind::Input, where + " is not an event of a run (" + problem.what() + ").");
    }
}

} // namespace maskscope
