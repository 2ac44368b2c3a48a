// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/preflight.h"

#include "core/base/bytes.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

// Live tensor bytes per patch at the peak of a stage, in elements: what the modules' activations
// come to when they are counted, checked against measurement by the engine's tests.
constexpr std::int64_t kVisionElementsPerPatch = 12000;
constexpr std::int64_t kMaskElementsPerPatch = 6000;
constexpr std::int64_t kKeptElementsPerPatch = 6000; ///< of an image, from vision on
constexpr std::int64_t kFixedElements = 1 << 18;

/// Matrices of scores that the native path holds at once on a CPU: scores and their softmax.
constexpr std::int64_t kMhaMatrices = 2;

std::int64_t languageBytes(const LanguageConfig& language, const Request& request,
    std::int64_t imageTokens, std::int64_t elementBytes) {
    const std::int64_t tokens = std::min<std::int64_t>(language.mostPositions,
        imageTokens + std::int64_t(request.text.size()) + request.settings.maxNewTokens);
    const std::int64_t cache
        = 2 * language.layers * language.kvHeads * language.headDim * tokens * elementBytes;
    const std::int64_t activations
        = tokens * (4 * language.width + 3 * language.mlpWidth) * elementBytes
        + language.vocabulary * 4;
    return cache + activations;
}

} // namespace

std::int64_t Prediction::peakBytes() const {
    std::int64_t peak = 0;
    for (const auto& [stage, bytes] : extraPeakBytes)
        peak = std::max(peak, bytes);
    return peak;
}

std::int64_t Prediction::matrixBytes() const {
    const std::int64_t patches = size.patches();
    return heads * patches * patches * elementBytes;
}

Prediction predict(
    const LensConfig& config, const Request& request, AttentionPath path, Precision precision) {
    const Image& image = *request.images.front();
    const std::int64_t asked = request.settings.pixels;
    Prediction prediction;
    prediction.size = modelSize(image.width, image.height,
        std::min(asked ? asked : config.trainingPixels, config.mostPixels));
    prediction.path = path;
    prediction.elementBytes = precision == Precision::Float32 ? 4 : 2;
    prediction.heads = config.mask.heads;
    const std::int64_t bytes = prediction.elementBytes;
    const std::int64_t patches = prediction.size.patches();
    const std::int64_t kept = (patches * kKeptElementsPerPatch + kFixedElements) * bytes;
    auto& peaks = prediction.extraPeakBytes;
    peaks[Stage::Vision] = (patches * kVisionElementsPerPatch + kFixedElements) * bytes;
    if (!request.text.empty())
        peaks[Stage::Prefill] = peaks[Stage::Decode]
            = kept + languageBytes(config.language, request, 65, bytes);
    const std::int64_t matrices
        = path == AttentionPath::Mha ? kMhaMatrices * prediction.matrixBytes() : 0;
    peaks[Stage::Mask] = kept + (patches * kMaskElementsPerPatch + kFixedElements) * bytes
        + matrices + std::int64_t(image.width) * image.height;
    return prediction;
}

void refuseIfTooLarge(
    const Prediction& prediction, std::int64_t live, const std::optional<std::int64_t>& limit) {
    const std::int64_t peak = prediction.peakBytes();
    if (!limit || live + peak <= *limit)
        return;
    std::string sentence = "This request needs about " + bytesText(peak) + " at its peak ("
        + std::string(nameOf(prediction.path)) + ", " + std::to_string(prediction.size.patches())
        + " patches), but of the limit " + bytesText(*limit) + " only "
        + bytesText(std::max<std::int64_t>(0, *limit - live)) + " are left";
    if (prediction.path == AttentionPath::Mha)
        sentence += "; one of its matrices alone takes " + bytesText(prediction.matrixBytes())
            + ": choose the attention sdpa, a smaller size, or a higher limit.";
    else
        sentence += ": choose a smaller size or a higher limit.";
    throw Failure(ErrorKind::Memory, sentence);
}

} // namespace maskscope
