// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/preflight.h"

#include "core/attention/attention_peak.h"
#include "core/base/bytes.h"
#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

/// Elements that a stage holds at its peak for P patches. Small images go through whole, large ones
/// in bands whose size does not depend on P.
struct Activations {
    std::int64_t whole; ///< per patch
    std::int64_t bands; ///< for the bands of a large image
    std::int64_t kept; ///< per patch of a large image

    constexpr std::int64_t of(std::int64_t patches) const {
        return std::min(patches * whole, bands + patches * kept);
    }
};

// Counted by the allocator for the modules as they are; the engine's tests hold the prediction
// against measurement.
constexpr Activations kVision{15'720, 7'125'000, 4'050};
constexpr Activations kMask{5'420, 7'600'000, 1'780};
constexpr std::int64_t kPixelElements = std::int64_t(3) * 16 * 16;
constexpr std::int64_t kDescribedElements = 1'800; ///< kept of an image after vision, per patch
constexpr std::int64_t kNativeElements = 2'154; ///< per patch, beside the native path's matrices
constexpr std::int64_t kImageTokens = 65; ///< most that the language model sees of an image

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

Prediction predict(const LensConfig& config, const Request& request, AttentionPath path,
    Precision precision, ImageStages image) {
    Prediction prediction;
    prediction.size = seenSize(config, request);
    prediction.path = path;
    prediction.elementBytes = precision == Precision::Float32 ? 4 : 2;
    prediction.heads = config.mask.heads;
    const std::int64_t bytes = prediction.elementBytes;
    const std::int64_t patches = prediction.size.patches();
    auto& peaks = prediction.extraPeakBytes;
    if (image == ImageStages::Needed)
        peaks[Stage::Vision] = patches * kPixelElements * 4 + kVision.of(patches) * bytes;
    std::int64_t kept = patches * kDescribedElements * bytes;
    if (!request.text.empty()) {
        kept += languageBytes(config.language, request, kImageTokens, bytes);
        peaks[Stage::Prefill] = peaks[Stage::Decode] = kept;
    }
    std::int64_t mask = kMask.of(patches) * bytes;
    if (path == AttentionPath::Mha)
        mask = std::max(
            mask, kNativeMatrices * prediction.matrixBytes() + patches * kNativeElements * bytes);
    peaks[Stage::Mask] = kept + mask;
    return prediction;
}

void refuseIfTooLarge(
    const Prediction& prediction, std::int64_t loaded, const std::optional<std::int64_t>& limit) {
    const std::int64_t peak = prediction.peakBytes();
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
