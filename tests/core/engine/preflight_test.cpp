// SPDX-License-Identifier: GPL-3.0-or-later
// What each stage of a run takes, measured, against what was predicted from shapes (preflight).
#include "core/engine/engine.h"
#include "core/image/image_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

namespace maskscope {
namespace {

const std::filesystem::path kModel = MASKSCOPE_RESOURCES "/models/lens-small";

class PreflightTest : public testing::Test {
protected:
    std::shared_ptr<const Report> run(const Request& request) {
        static const std::unique_ptr<Engine> engine = [] {
            EngineOptions options;
            options.model = kModel;
            return Engine::create(options).value();
        }();
        return engine->run(request, [](const Event&) {}).value();
    }

    /// A run, whose every stage has to take what was predicted.
    void expectPredicted(const Request& request) {
        const auto report = run(request);
        const std::string what = std::to_string(report->patches) + " patches, "
            + std::string(nameOf(report->attention.used)) + ", "
            + std::string(nameOf(report->precision));
        for (const auto& [stage, measured] : report->extraPeakBytes) {
            if (stage == Stage::Load)
                continue;
            ASSERT_TRUE(report->predictedExtraPeakBytes.contains(stage))
                << what << ", " << nameOf(stage);
            const std::int64_t predicted = report->predictedExtraPeakBytes.at(stage);
            std::printf("%-28s %-8s predicted %10lld measured %10lld\n", what.c_str(),
                std::string(nameOf(stage)).c_str(), static_cast<long long>(predicted),
                static_cast<long long>(measured));
            EXPECT_NEAR(double(predicted), double(measured),
                std::max(0.02 * double(measured), double(1 << 20)))
                << what << ", " << nameOf(stage);
        }
    }

    static Request clickOn(int width, int height) {
        auto image = std::make_shared<Image>();
        image->width = width;
        image->height = height;
        image->rgb.resize(std::size_t(width) * std::size_t(height) * 3);
        for (std::size_t i = 0; i < image->rgb.size(); ++i)
            image->rgb[i] = std::uint8_t(i * 37 % 251);
        Request request;
        request.images = {image};
        request.points = {{width * 0.5, height * 0.5, PointSign::Positive}};
        request.settings.pixels = kNativePixels;
        request.settings.threads = 2;
        return request;
    }

    static Request wordsOn(const char* example, const char* text) {
        Request request;
        request.images = {std::make_shared<const Image>(
            readImage(std::filesystem::path(MASKSCOPE_RESOURCES) / "examples" / example))};
        request.text = text;
        request.settings.threads = 2;
        return request;
    }
};

TEST_F(PreflightTest, KnowsEverySize) {
    for (const auto& [width, height] : {std::pair(192, 192), std::pair(256, 256),
             std::pair(384, 384), std::pair(512, 512), std::pair(352, 928), std::pair(1024, 1024)})
        for (const Precision precision : {Precision::Float32, Precision::BFloat16}) {
            Request request = clickOn(width, height);
            request.settings.precision = precision;
            expectPredicted(request);
        }
}

TEST_F(PreflightTest, KnowsThreeMegapixels) {
    expectPredicted(clickOn(2112, 1408));
}

TEST_F(PreflightTest, KnowsEveryPathAndNumberOfThreads) {
    for (const AttentionPath path : {AttentionPath::Mha, AttentionPath::Flash, AttentionPath::Sdpa})
        for (const int side : {192, 352, 512})
            for (const int threads : {1, 2})
                for (const Precision precision : {Precision::Float32, Precision::BFloat16}) {
                    Request request = clickOn(side, side + 64);
                    request.settings.attention = path;
                    request.settings.threads = threads;
                    request.settings.precision = precision;
                    expectPredicted(request);
                }
}

TEST_F(PreflightTest, KnowsARing) {
    for (const int ranks : {1, 2, 3})
        for (const int side : {192, 512})
            for (const Precision precision : {Precision::Float32, Precision::BFloat16}) {
                Request request = clickOn(side, side + 64);
                request.settings.attention = AttentionPath::Ring;
                request.settings.ringDevices.assign(std::size_t(ranks), "cpu");
                request.settings.precision = precision;
                expectPredicted(request);
                request.points.push_back({100, 100, PointSign::Negative});
                expectPredicted(request); // what the first one left is of the same ring
            }
}

TEST_F(PreflightTest, KnowsWordsWithAndWithoutACache) {
    for (const Precision precision : {Precision::Float32, Precision::BFloat16})
        for (const KvCacheMode cache : {KvCacheMode::On, KvCacheMode::Off})
            for (const MaskPass pass : {MaskPass::Stream, MaskPass::Batch})
                for (const std::int64_t pixels : {65'536, 262'144}) {
                    Request request = wordsOn("cat.jpg", "segment the cat");
                    request.settings.precision = precision;
                    request.settings.kvCache = cache;
                    request.settings.maskPass = pass;
                    request.settings.pixels = pixels;
                    expectPredicted(request);
                }
}

TEST_F(PreflightTest, KnowsLongRequests) {
    const std::string few = "segment the cat, and then the dog and the horse and everything else "
                            "that can be seen in this picture, from the left to the right";
    for (const std::string& words : {few, few + ", " + few + ", " + few + ", " + few})
        for (const Precision precision : {Precision::Float32, Precision::BFloat16})
            for (const KvCacheMode cache : {KvCacheMode::On, KvCacheMode::Off}) {
                Request request = wordsOn("cat.jpg", words.c_str());
                request.settings.precision = precision;
                request.settings.kvCache = cache;
                request.settings.maxNewTokens = 8;
                expectPredicted(request);
            }
}

TEST_F(PreflightTest, KnowsClicksAndBoxes) {
    Request request = clickOn(512, 448);
    request.points.push_back({100, 100, PointSign::Negative});
    request.points.push_back({200, 200, PointSign::Positive});
    expectPredicted(request);
    request = clickOn(512, 448);
    request.points.clear();
    request.boxes = {{10, 10, 200, 200}, {100, 100, 400, 300}};
    expectPredicted(request);
    request = wordsOn("cat.jpg", "segment the cat");
    request.points = {{200, 200, PointSign::Positive}};
    request.settings.pixels = 262'144;
    expectPredicted(request);
}

TEST_F(PreflightTest, KnowsWhatIsLeftFromTheRunBefore) {
    Request request = clickOn(512, 448);
    run(request);
    expectPredicted(request);
    request.settings.attention = AttentionPath::Flash;
    expectPredicted(request);
    request.points.push_back({100, 100, PointSign::Negative});
    expectPredicted(request);
    request.text = "segment the cat";
    request.points.clear();
    expectPredicted(request);
}

} // namespace
} // namespace maskscope
