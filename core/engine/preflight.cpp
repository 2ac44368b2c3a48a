// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/preflight.h"

#include "core/attention/attention_peak.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/model/pixels.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

constexpr std::int64_t kLong = 8; ///< bytes
constexpr std::int64_t kLogits = 64; ///< of a mask for each patch

/// One run as its stages follow each other: what each takes above its start, and what stays live.
class Forecast {
public:
    Forecast(const LensModel& model, const Request& request, AttentionPath path,
        const RunStart& start, const AnswerLength& answer, Prediction& prediction)
        : m_model(model)
        , m_request(request)
        , m_way{path, start.ring}
        , m_start(start)
        , m_answer(answer)
        , m_prediction(prediction)
        , m_seen{prediction.size.height / 16, prediction.size.width / 16, prediction.elementBytes,
              start.threads} { }

    void run() {
        m_prediction.peakBytes = m_kept
            = m_start.image == ImageStages::Kept ? m_start.keptBytes : 0;
        if (m_start.image == ImageStages::Needed)
            look();
        if (!m_request.text.empty())
            answer();
        else
            add(Stage::Mask, maskPeak());
    }

private:
    PeakSum sum() const { return PeakSum(m_prediction.elementBytes); }

    void add(Stage stage, const PeakSum& sum) {
        m_prediction.extraPeakBytes[stage] = sum.peak();
        m_prediction.peakBytes = std::max(m_prediction.peakBytes, m_kept + sum.peak());
    }

    void look() {
        PeakSum pixels = sum();
        addPixelsPeak(pixels, m_prediction.size);
        add(Stage::Image, pixels);
        m_kept += pixels.held();

        PeakSum vision = sum();
        m_model.lens.encoder().addPeak(vision, m_seen);
        m_model.lens.addDescribePeak(vision, m_seen);
        vision.give(VisionEncoder::kDeepChannels * m_seen.patches());
        add(Stage::Vision, vision);
        m_kept += vision.held() - pixels.held();
    }

    void answer() {
        const LanguageModel& language = m_model.lens.language();
        const LanguageConfig& config = language.config();
        const std::int64_t seen = m_model.lens.tokenCount(m_seen.gridHeight, m_seen.gridWidth);
        const auto T = std::int64_t(m_model.prompts.prompt(seen, m_request.text).ids.size());
        const std::int64_t capacity
            = std::min(config.mostPositions, T + m_request.settings.maxNewTokens + 1);
        const bool cached = m_request.settings.kvCache == KvCacheMode::On;
        const auto memory
            = cached ? LanguageModel::Memory::Cached : LanguageModel::Memory::Uncached;
        if (cached)
            m_kept += language.stateBytes(capacity, m_prediction.elementBytes);

        PeakSum prefill = sum();
        prefill.takeBytes(kLong * T);
        prefill.take(T * config.width); // embeddings
        language.addPeak(prefill, T, T, memory);
        add(Stage::Prefill, prefill);
        m_kept += (cached ? 1 : 2) * T * config.width * m_prediction.elementBytes;

        // Without a cache the last tokens are computed with all before them.
        const std::int64_t S = std::min(capacity, T + m_answer.tokens);
        PeakSum decode = sum();
        if (!cached)
            decode.take((3 * S - T) * config.width); // fed before and now, and the last result
        language.addPeak(decode, cached ? 1 : S, S, memory);
        decode.passBytes(config.vocabulary * (m_prediction.elementBytes + 4));
        const bool within = m_request.settings.maskPass == MaskPass::Stream && !hasPrompts();
        if (within && m_answer.masks > 0)
            decode.passBytes(maskPeak().peak());
        add(Stage::Decode, decode);
        if (m_answer.masks > 0)
            add(Stage::Mask, maskPeak());
    }

    /// Of the first mask, which needs the decoder's part of the image, and all its clicks.
    PeakSum maskPeak() const {
        PeakSum mask = sum();
        if (m_way.path == AttentionPath::Ring)
            mask.takeBytes(m_model.lens.decoder().ringStagingBytes(m_seen, m_way.ring));
        if (m_start.decoder != DecoderStages::Kept)
            m_model.lens.decoder().addImagePeak(mask, m_seen, m_way);
        if (m_start.decoder == DecoderStages::Replaced)
            mask.giveBytes(mask.held()); // the other path's, which is as large
        const bool refines = !m_request.text.empty() && hasPrompts();
        const bool corrects = int(m_request.points.size()) - m_start.clicks > 1;
        // The masks of words that a click refines; or the one that a click corrects.
        mask.take(kLogits * m_seen.patches() * (refines ? m_answer.masks : corrects ? 1 : 0));
        m_model.lens.decoder().addDecodePeak(mask, m_seen, m_way);
        return mask;
    }

    bool hasPrompts() const { return !m_request.points.empty() || !m_request.boxes.empty(); }

    const LensModel& m_model;
    const Request& m_request;
    AttentionWay m_way;
    const RunStart& m_start;
    const AnswerLength& m_answer;
    Prediction& m_prediction;
    SeenImage m_seen;
    std::int64_t m_kept = 0; ///< live above the state after loading, at the next stage's start
};

} // namespace

std::int64_t Prediction::matrixBytes() const {
    return scoreMatrixBytes({1, heads, size.patches(), 0, elementBytes});
}

ModelSize seenSize(const LensConfig& config, const Request& request) {
    const Image& image = *request.images.front();
    std::int64_t pixels = request.settings.pixels;
    if (pixels == 0)
        pixels = config.trainingPixels;
    else if (pixels == kNativePixels)
        pixels = std::int64_t(image.width) * image.height;
    return modelSize(image.width, image.height, std::min(pixels, config.mostPixels));
}

Prediction predict(const LensModel& model, const Request& request, AttentionPath path,
    const RunStart& start, const AnswerLength& answer) {
    const LensConfig& config = model.lens.config();
    Prediction prediction;
    prediction.size = seenSize(config, request);
    prediction.path = path;
    prediction.elementBytes = model.precision == Precision::Float32 ? 4 : 2;
    prediction.heads = config.mask.heads;
    Forecast(model, request, path, start, answer, prediction).run();
    return prediction;
}

void refuseIfTooLarge(
    const Prediction& prediction, std::int64_t loaded, const std::optional<std::int64_t>& limit) {
    const std::int64_t peak = prediction.peakBytes;
    if (!limit || loaded + peak <= *limit)
        return;
    std::string sentence = "This request needs about " + bytesText(peak) + " at its peak ("
        + std::string(nameOf(prediction.path)) + ", " + std::to_string(prediction.size.patches())
        + " patches), but of the limit " + bytesText(*limit) + " only "
        + bytesText(std::max<std::int64_t>(0, *limit - loaded)) + " are left";
    if (prediction.path == AttentionPath::Mha)
        sentence += "; one of its matrices alone takes " + bytesText(prediction.matrixBytes(), 2)
            + ": choose the attention sdpa, a smaller size, or a higher limit.";
    else
        sentence += ": choose a smaller size or a higher limit.";
    throw Failure(ErrorKind::Memory, sentence);
}

} // namespace maskscope
