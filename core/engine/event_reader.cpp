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

/// A few runs of a file may stand for any number of pixels.
constexpr std::int64_t kMostMaskPixels = 1'000'000'000;

MemorySample sampleFrom(const JsonField& json) {
    MemorySample sample;
    sample.tMs = json.at("t_ms").number();
    sample.device = json.at("device").text();
    sample.live = json.at("live").whole<std::int64_t>();
    const JsonField categories = json.at("by_category");
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        sample.byCategory[i]
            = categories.at(nameOf(static_cast<MemoryCategory>(i))).whole<std::int64_t>();
    sample.reserved = json.at("reserved").wholeOrNull<std::int64_t>();
    sample.process = json.at("process").wholeOrNull<std::int64_t>();
    sample.deviceUsed = json.at("device_used").wholeOrNull<std::int64_t>();
    sample.deviceTotal = json.at("device_total").wholeOrNull<std::int64_t>();
    return sample;
}

RankSample rankSampleFrom(const JsonField& json) {
    RankSample sample{json.at("t_ms").number(), json.at("rank").whole<int>(),
        json.at("live").whole<std::int64_t>(), json.at("staging").whole<std::int64_t>()};
    if (sample.rank < 0 || sample.rank >= kMostRanks)
        json.at("rank").refuse("is none of 0 to " + std::to_string(kMostRanks - 1));
    return sample;
}

EventPayload stageFromJson(const JsonField& json) {
    const Stage stage = json.at("stage").named(&stageFrom);
    if (json.at("phase").text() == "begin")
        return StageBegan{stage};
    return StageEnded{stage, json.at("ms").number(),
        json.at("extra_peak_bytes").whole<std::int64_t>(),
        json.at("live_bytes").whole<std::int64_t>()};
}

LogitsProduced logitsFrom(const JsonField& json) {
    LogitsProduced logits;
    logits.of = json.at("of").text() == "mask" ? LogitsOf::Mask : LogitsOf::Token;
    logits.index = json.at("index").whole<int>();
    const auto size = json.at("size").elements(2);
    logits.height = size[0].whole<int>();
    logits.width = size[1].whole<int>();
    logits.digest = json.at("digest").text();
    if (!json.has("values"))
        return logits;
    const auto bytes = bytesOfBase64(json.at("values").text());
    const std::int64_t count = std::int64_t(logits.height) * logits.width;
    if (!bytes || logits.height < 1 || logits.width < 1
        || std::int64_t(bytes->size()) != count * std::int64_t(sizeof(float)))
        json.at("values").refuse("are not " + std::to_string(count) + " numbers in base64");
    std::vector<float> values(static_cast<std::size_t>(count));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    logits.values = std::make_shared<const std::vector<float>>(std::move(values));
    return logits;
}

AttentionReport attentionFrom(const JsonField& json) {
    return {json.at("requested").named(&attentionPathFrom),
        json.at("used").named(&attentionPathFrom), json.at("reason").text()};
}

/// Of the stages that are there; `of` reads one.
template <class Of>
auto byStage(const JsonField& json, const Of& of) {
    std::map<Stage, decltype(of(json))> values;
    for (const Stage stage :
        {Stage::Load, Stage::Image, Stage::Vision, Stage::Prefill, Stage::Decode, Stage::Mask})
        if (json.has(nameOf(stage)))
            values[stage] = of(json.at(nameOf(stage)));
    return values;
}

std::int64_t bytesFrom(const JsonField& json) {
    return json.whole<std::int64_t>();
}

} // namespace

std::shared_ptr<const Mask> EventReader::maskFrom(const JsonField& json) {
    const Rle rle = rleFromJson(json.at("rle").json(), "its mask");
    m_maskPixels += std::int64_t(rle.width) * rle.height;
    if (m_maskPixels > kMostMaskPixels)
        throw Failure(ErrorKind::Input,
            "its masks have more than " + std::to_string(kMostMaskPixels) + " pixels in all");
    auto mask = std::make_shared<Mask>(decodeRle(rle));
    mask->label = json.at("label").text();
    mask->score = static_cast<float>(json.at("score").number());
    mask->imageIndex = json.at("image").whole<int>();
    mask->index = json.at("index").whole<int>();
    mask->tokenIndex = json.at("token_index").whole<int>();
    return mask;
}

std::shared_ptr<const Report> EventReader::reportFrom(const JsonField& json) {
    auto report = std::make_shared<Report>();
    report->outcome
        = json.at("outcome").text() == "cancelled" ? Outcome::Cancelled : Outcome::Finished;
    report->answer = json.at("answer").text();
    report->answerCut = json.at("answer_cut").flag();
    for (const JsonField& token : json.at("tokens").elements())
        report->tokens.push_back(token.whole<int>());
    report->masks = std::exchange(m_masks, {});
    for (const JsonField& candidate : json.at("candidates").elements())
        report->candidates.push_back(maskFrom(candidate));
    m_maskPixels = 0;
    report->attention = attentionFrom(json.at("attention"));
    report->kvCache = json.at("kv_cache").named(&kvCacheModeFrom);
    report->precision = json.at("dtype").named(&precisionFrom);
    report->device = json.at("device").text();
    report->patches = json.at("patches").whole<int>();
    report->predictedPeakBytes = json.at("predicted_peak_bytes").whole<std::int64_t>();
    report->extraPeakBytes = byStage(json.at("extra_peak_bytes"), bytesFrom);
    if (json.has("predicted_extra_peak_bytes"))
        report->predictedExtraPeakBytes = byStage(json.at("predicted_extra_peak_bytes"), bytesFrom);
    if (json.has("ranks"))
        for (const JsonField& rank : json.at("ranks").elements())
            report->ranks.push_back({rank.at("device").text(), bytesFrom(rank.at("peak_bytes"))});
    report->ms = byStage(json.at("ms"), [](const JsonField& ms) { return ms.number(); });
    report->timeToFirstTokenMs = json.at("time_to_first_token_ms").number();
    report->tokensPerSecond = json.at("tokens_per_s").number();
    report->seed = json.at("seed").whole<std::uint64_t>();
    return report;
}

std::optional<EventPayload> EventReader::payloadFrom(const JsonField& json) {
    const std::string& kind = json.at("event").text();
    if (kind == "stage")
        return stageFromJson(json);
    if (kind == "token")
        return TokenProduced{json.at("id").whole<int>(), json.at("text").text(),
            json.at("index").whole<int>(), json.at("is_mask").flag()};
    if (kind == "mask") {
        m_masks.push_back(maskFrom(json));
        return MaskProduced{m_masks.back()};
    }
    if (kind == "logits")
        return logitsFrom(json);
    if (kind == "memory")
        return MemoryMeasured{sampleFrom(json)};
    if (kind == "rank_memory")
        return RankMeasured{rankSampleFrom(json)};
    if (kind == "done")
        return Done{reportFrom(json)};
    if (kind == "error") {
        m_masks.clear();
        m_maskPixels = 0;
        return Failed{{json.at("kind").named(&errorKindFrom), json.at("message").text()}};
    }
    return std::nullopt;
}

std::optional<Event> EventReader::read(std::string_view line, std::uint64_t request) {
    ++m_line;
    if (line.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return std::nullopt;
    const std::string where = m_what + ", line " + std::to_string(m_line);
    try {
        const nlohmann::json parsed = parseStrictJson(line, where);
        const JsonField json(parsed);
        if (auto payload = payloadFrom(json))
            return Event{
                request, json.has("t_ms") ? json.at("t_ms").number() : 0, std::move(*payload)};
        return std::nullopt;
    } catch (const Failure& failure) {
        const std::string& reason = failure.error().sentence;
        throw Failure(ErrorKind::Input,
            reason.starts_with(where) ? reason : where + " is not an event: " + reason + ".");
    }
}

} // namespace maskscope
