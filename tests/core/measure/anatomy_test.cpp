// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/anatomy.h"

#include "core/base/error.h"
#include "core/memory/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace maskscope {
namespace {

using Shape = std::vector<std::int64_t>;

LayerShape shapeOf(LayerPath path, std::int64_t patches, Precision precision = Precision::Float32) {
    return {path, patches, 16, 1024, 0, precision};
}

std::int64_t sumOf(const Anatomy& anatomy) {
    std::int64_t sum
        = std::accumulate(anatomy.before.begin(), anatomy.before.end(), anatomy.unattributed);
    for (const AliveTensor& tensor : anatomy.tensors)
        sum += tensor.bytes * tensor.copies;
    return sum;
}

/// 24 x 16 patches.
Request requestOf(AttentionPath path) {
    auto image = std::make_shared<Image>();
    image->width = 384;
    image->height = 256;
    image->rgb.resize(std::size_t(384) * 256 * 3, 90);
    Request request;
    request.images = {image};
    request.points = {{100, 100, PointSign::Positive}};
    request.settings.pixels = kNativePixels;
    request.settings.attention = path;
    return request;
}

const std::string kModel = MASKSCOPE_RESOURCES "/models/lens-small";

} // namespace

TEST(LayerAnatomy, SeesTheTwoMatricesOfTheNativePath) {
    const Anatomy anatomy = layerAnatomy(shapeOf(LayerPath::Mha, 1024));
    EXPECT_EQ(anatomy.matrices(), 2);
    EXPECT_EQ(anatomy.matrixBytes(), 2LL * 16 * 1024 * 1024 * 4);
    ASSERT_GE(anatomy.tensors.size(), 3U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(anatomy.tensors[i].bytes, 67'108'864);
        EXPECT_EQ(anatomy.tensors[i].copies, 1);
        EXPECT_EQ(anatomy.tensors[i].dtype, "fp32");
        EXPECT_EQ(anatomy.tensors[i].module, "attention");
    }
    EXPECT_EQ(anatomy.tensors[0].op, "bmm");
    EXPECT_EQ(anatomy.tensors[0].shape, (Shape{16, 1024, 1024}));
    EXPECT_EQ(anatomy.tensors[1].op, "_masked_softmax");
    EXPECT_EQ(anatomy.tensors[1].shape, (Shape{1, 16, 1024, 1024}));
    // Queries, keys and values, and the mask.
    EXPECT_EQ(anatomy.tensors[2].bytes, 3 * 1024 * 1024 * 4);
    EXPECT_EQ(anatomy.extraPeakBytes, 2LL * 67'108'864 + 3 * 1024 * 1024 * 4 + 1024);
    EXPECT_EQ(sumOf(anatomy), anatomy.peakBytes);
    EXPECT_EQ(anatomy.unattributed, 0);
    EXPECT_EQ(anatomy.before[std::size_t(MemoryCategory::Weights)], (4 * 1024 + 4) * 1024 * 4);
}

TEST(LayerAnatomy, SeesNoMatrixInTheLeanPaths) {
    for (const LayerPath path : {LayerPath::Sdpa, LayerPath::Flash})
        for (const Precision precision : {Precision::Float32, Precision::BFloat16}) {
            const LayerShape shape = shapeOf(path, 640, precision);
            const Anatomy anatomy = layerAnatomy(shape, {1, {}, Preflight::On});
            EXPECT_EQ(anatomy.matrices(), 0);
            EXPECT_EQ(sumOf(anatomy), anatomy.peakBytes);
            EXPECT_EQ(anatomy.extraPeakBytes, layerPeakBytes(shape, 1));
        }
}

TEST(LayerAnatomy, RefusesWhatDoesNotFitWithTheFigures) {
    const auto errorOfRun = [](const LayerShape& shape, const LayerLimits& limits) {
        try {
            layerAnatomy(shape, limits);
        } catch (const Failure& failure) {
            return failure.error();
        }
        return Error{ErrorKind::Internal, "no failure"};
    };
    const Error tooLarge = errorOfRun(shapeOf(LayerPath::Mha, 200'000), {});
    EXPECT_EQ(tooLarge.kind, ErrorKind::Memory);
    // Two matrices of 16 heads x 200000 x 200000 x 4 bytes, and queries, keys and values.
    EXPECT_NE(tooLarge.sentence.find("needs about 4.66 TiB"), std::string::npos)
        << tooLarge.sentence;
    EXPECT_NE(tooLarge.sentence.find("sdpa"), std::string::npos) << tooLarge.sentence;
    const Error refused = errorOfRun(shapeOf(LayerPath::Mha, 512), {0, 16 << 20, Preflight::Off});
    EXPECT_EQ(refused.kind, ErrorKind::Memory);
    EXPECT_NE(refused.sentence.find("Out of memory"), std::string::npos) << refused.sentence;
}

TEST(LayerAnatomy, LeavesTheLedgerAsItWas) {
    const auto live = cpuLedger().live();
    layerAnatomy(shapeOf(LayerPath::Flash, 128));
    EXPECT_EQ(cpuLedger().live(), live);
}

TEST(RequestAnatomy, AddsUpToThePeakOfEachStage) {
    for (const std::optional<Stage> stage :
        {std::optional<Stage>(), std::optional(Stage::Vision), std::optional(Stage::Mask)}) {
        const Anatomy anatomy = requestAnatomy(kModel, requestOf(AttentionPath::Sdpa), stage);
        EXPECT_EQ(sumOf(anatomy), anatomy.peakBytes);
        EXPECT_EQ(anatomy.unattributed, 0);
        EXPECT_EQ(anatomy.matrices(), 0);
        EXPECT_EQ(anatomy.patches, 384);
        for (const AliveTensor& tensor : anatomy.tensors)
            EXPECT_GT(tensor.bytes, 0);
    }
}

TEST(RequestAnatomy, NamesTheLayerThatHoldsTheMatrices) {
    const Anatomy anatomy = requestAnatomy(kModel, requestOf(AttentionPath::Mha), Stage::Mask);
    EXPECT_EQ(anatomy.matrices(), 2);
    EXPECT_EQ(anatomy.matrixBytes(), 2LL * 8 * 384 * 384 * 4);
    EXPECT_EQ(anatomy.tensors.front().module.substr(0, 10), "mask/mask.")
        << anatomy.tensors.front().module;
}

TEST(RequestAnatomy, FindsTheMomentThatAPointOfTheCurveShows) {
    std::vector<Stage> heard;
    const EventSink onEvent = [&](const Event& event) {
        if (const auto* began = std::get_if<StageBegan>(&event.payload))
            heard.push_back(began->stage);
    };
    const Request request = requestOf(AttentionPath::Mha);
    const Anatomy peak = requestAnatomyAt(kModel, request, {Stage::Mask, {}}, onEvent);
    EXPECT_NE(std::ranges::find(heard, Stage::Mask), heard.end());
    // What was live at the peak, as the curve has it, leads back to the peak.
    BytesByCategory live = peak.before;
    for (const AliveTensor& tensor : peak.tensors)
        live[std::size_t(MemoryCategory::MaskDecoder)] += tensor.bytes * tensor.copies;
    const std::int64_t matrix = 8 * 384 * 384 * 4;
    const Anatomy same = requestAnatomyAt(kModel, request, {Stage::Mask, live}, onEvent);
    EXPECT_NEAR(double(same.peakBytes), double(peak.peakBytes), double(matrix) / 2);
    EXPECT_EQ(same.matrices(), 2);
    live[std::size_t(MemoryCategory::MaskDecoder)] -= 2 * matrix;
    const Anatomy lower = requestAnatomyAt(kModel, request, {Stage::Mask, live}, onEvent);
    EXPECT_LT(lower.peakBytes, peak.peakBytes - matrix);
    EXPECT_EQ(sumOf(lower), lower.peakBytes);
}

TEST(RequestAnatomy, RefusesAStageThatIsNotThere) {
    try {
        requestAnatomy(kModel, requestOf(AttentionPath::Sdpa), Stage::Prefill);
        ADD_FAILURE() << "no failure";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Usage);
    }
}

} // namespace maskscope
