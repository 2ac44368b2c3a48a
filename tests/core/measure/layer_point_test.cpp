// SPDX-License-Identifier: GPL-3.0-or-later
// What a layer takes, measured, against its prediction and against what theory says.
#include "core/base/error.h"
#include "core/measure/layer_point.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace maskscope {
namespace {

constexpr double kMiB = 1 << 20;

LayerPoint pointOf(LayerPath path, std::int64_t patches, Precision precision = Precision::Float32) {
    LayerPoint point;
    point.shape = {path, patches, 16, 1024, 0, precision};
    point.threads = 2;
    point.repeats = 1;
    return point;
}

struct Case {
    LayerPath path;
    std::int64_t patches;
    Precision precision;
    std::int64_t heads = 16;
    std::int64_t width = 1024;
    std::int64_t blocks = 0;
};

std::string nameOfCase(const testing::TestParamInfo<Case>& info) {
    std::string name = std::string(nameOf(info.param.path)) + '_'
        + std::to_string(info.param.patches) + '_' + std::string(nameOf(info.param.precision)) + '_'
        + std::to_string(info.param.width) + '_' + std::to_string(info.param.blocks);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Predicted : public testing::TestWithParam<Case> { };

} // namespace

TEST_P(Predicted, IsWhatIsMeasured) {
    const Case& c = GetParam();
    for (const int threads : {1, 2}) {
        LayerPoint point;
        point.shape = {c.path, c.patches, c.heads, c.width, c.blocks, c.precision};
        point.threads = threads;
        point.repeats = 1;
        const LayerFigures figures = measureLayer(point);
        const auto measured = double(figures.extraPeakBytes);
        EXPECT_NEAR(measured, double(figures.predictedBytes), std::max(0.02 * measured, kMiB))
            << threads << " threads";
        EXPECT_EQ(figures.threads, threads);
        EXPECT_GT(figures.ms, 0);
        EXPECT_GE(figures.overLoadBytes,
            figures.extraPeakBytes
                + c.patches * c.width * (c.precision == Precision::Float32 ? 4 : 2));
    }
}

INSTANTIATE_TEST_SUITE_P(Layers, Predicted,
    testing::Values(Case{LayerPath::Sdpa, 1024, Precision::Float32},
        Case{LayerPath::Sdpa, 1944, Precision::BFloat16},
        Case{LayerPath::Sdpa, 100, Precision::Float32, 8, 256},
        Case{LayerPath::Sdpa, 700, Precision::BFloat16, 8, 384},
        Case{LayerPath::Flash, 1944, Precision::Float32},
        Case{LayerPath::Flash, 1024, Precision::BFloat16},
        Case{LayerPath::Ring, 1944, Precision::Float32},
        Case{LayerPath::Ring, 1024, Precision::BFloat16},
        Case{LayerPath::Ring, 1300, Precision::Float32, 8, 512, 2},
        Case{LayerPath::Mha, 1024, Precision::Float32},
        Case{LayerPath::Mha, 1024, Precision::BFloat16},
        Case{LayerPath::Mha, 63, Precision::Float32},
        Case{LayerPath::Mha, 300, Precision::BFloat16, 8, 2048},
        Case{LayerPath::CppModule, 300, Precision::Float32, 2, 4096},
        Case{LayerPath::EncoderLayer, 300, Precision::Float32, 2, 4096},
        Case{LayerPath::Mha, 1500, Precision::BFloat16, 8, 256},
        // Wide for so few patches: projecting takes more than the matrices do.
        Case{LayerPath::Mha, 500, Precision::Float32, 2, 4096},
        Case{LayerPath::CppModule, 300, Precision::Float32, 8, 2048},
        Case{LayerPath::EncoderLayer, 300, Precision::Float32, 8, 2048},
        Case{LayerPath::CppModule, 100, Precision::Float32, 2, 2048},
        Case{LayerPath::CppModule, 1024, Precision::Float32},
        Case{LayerPath::EncoderLayer, 1024, Precision::Float32},
        Case{LayerPath::EncoderLayer, 1024, Precision::BFloat16},
        Case{LayerPath::EncoderLayer, 1024, Precision::Float32, 4, 512},
        Case{LayerPath::Sdpa, 1944, Precision::Float32, 16, 1024, 1},
        Case{LayerPath::Sdpa, 1300, Precision::BFloat16, 8, 512, 3},
        Case{LayerPath::Flash, 1300, Precision::Float32, 8, 512, 2},
        Case{LayerPath::Mha, 1300, Precision::Float32, 8, 512, 2}),
    nameOfCase);

TEST(LayerPoint, TakesWhatTheoryAndTheBarsSay) {
    // 16 heads x P x P x 4 bytes are 64 MiB at 1,024 patches; the native path holds two of them.
    const auto native = measureLayer(pointOf(LayerPath::Mha, 1024)).extraPeakBytes;
    EXPECT_GE(double(native), 128 * kMiB);
    EXPECT_LE(double(native), 180 * kMiB);
    for (const LayerPath path : {LayerPath::Sdpa, LayerPath::Flash}) {
        const auto small = measureLayer(pointOf(path, 1024)).extraPeakBytes;
        const auto large = measureLayer(pointOf(path, 3072)).extraPeakBytes;
        EXPECT_LE(double(small), 10 * kMiB) << nameOf(path);
        EXPECT_LE(double(large - small) / 2, 7 * kMiB) << nameOf(path);
    }
}

TEST(LayerPoint, HasItsPeakInAttentionInWholeBlocksToo) {
    // The normalised input beside it is what a block adds.
    for (const std::int64_t patches : {1024, 3952, 11'616})
        for (const Precision precision : {Precision::Float32, Precision::BFloat16}) {
            LayerShape shape = pointOf(LayerPath::Sdpa, patches, precision).shape;
            const std::int64_t layer = layerPeakBytes(shape, 2);
            shape.blocks = 1;
            EXPECT_EQ(layerPeakBytes(shape, 2),
                layer + patches * 1024 * attentionShapeOf(shape, 2).elementBytes);
        }
}

TEST(LayerPoint, IsTheSameEveryTime) {
    for (const LayerPath path :
        {LayerPath::Mha, LayerPath::Sdpa, LayerPath::Flash, LayerPath::Ring}) {
        const auto first = measureLayer(pointOf(path, 640)),
                   again = measureLayer(pointOf(path, 640));
        EXPECT_EQ(first.extraPeakBytes, again.extraPeakBytes) << nameOf(path);
        EXPECT_EQ(first.overLoadBytes, again.overLoadBytes) << nameOf(path);
        EXPECT_EQ(first.rankPeakBytes, again.rankPeakBytes) << nameOf(path);
        EXPECT_EQ(first.rankPeakBytes.size(), path == LayerPath::Ring ? 2U : 0U);
    }
}

TEST(LayerPoint, IsRefusedWithTheSizeOfOneMatrix) {
    // 16 x 32,120 x 32,120 x 2 bytes = 33,014,060,800 = 30.75 GiB.
    LayerPoint point = pointOf(LayerPath::Mha, 32'120, Precision::BFloat16);
    point.memoryLimit = std::int64_t(30) << 30;
    try {
        measureLayer(point);
        FAIL() << "no refusal";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Memory);
        EXPECT_NE(failure.error().sentence.find("30.75 GiB"), std::string::npos)
            << failure.error().sentence;
    }
}

TEST(LayerPoint, RunsOutOfMemoryAsWithoutPreflight) {
    LayerPoint point = pointOf(LayerPath::Mha, 1024);
    point.memoryLimit = std::int64_t(80) << 20;
    point.preflight = Preflight::Off;
    try {
        measureLayer(point);
        FAIL() << "no refusal";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Memory);
        EXPECT_TRUE(failure.error().sentence.starts_with("mha over 1024 patches: Out of memory"))
            << failure.error().sentence;
    }
    EXPECT_GT(measureLayer(pointOf(LayerPath::Mha, 256)).extraPeakBytes, 0) << "the next one runs";
}

TEST(LayerPoint, RefusesWhatCannotBe) {
    const auto kindOf = [](const LayerPoint& point) {
        try {
            measureLayer(point);
        } catch (const Failure& failure) {
            return failure.kind();
        }
        return ErrorKind::Internal;
    };
    LayerPoint elsewhere = pointOf(LayerPath::Ring, 64);
    elsewhere.shape.ringDevices = {"cuda:0", "cuda:1"};
    EXPECT_EQ(kindOf(elsewhere), ErrorKind::Device);
    EXPECT_EQ(kindOf(pointOf(LayerPath::Sdpa, 0)), ErrorKind::Usage);
    LayerPoint uneven = pointOf(LayerPath::Sdpa, 64);
    uneven.shape.heads = 15;
    EXPECT_EQ(kindOf(uneven), ErrorKind::Usage);
    EXPECT_EQ(kindOf(pointOf(LayerPath::CppModule, 64, Precision::BFloat16)), ErrorKind::Usage);
    LayerPoint blocks = pointOf(LayerPath::CppModule, 64);
    blocks.shape.blocks = 2;
    EXPECT_EQ(kindOf(blocks), ErrorKind::Usage);
}

} // namespace maskscope
