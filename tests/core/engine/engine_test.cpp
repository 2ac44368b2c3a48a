// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/memory/ledger.h"
#include "core/memory/process.h"
#include "tests/core/engine/engine_fixture.h"

#include <algorithm>
#include <cmath>

namespace maskscope {
namespace {

using test::EngineTest;
using test::kResources;
using test::requestFor;
using test::Sample;
using test::sample;

TEST_F(EngineTest, TellsEveryStageTokenAndMask) {
    const Request request = requestFor(sample(0));
    const auto report = run(request);
    EXPECT_EQ(report->outcome, Outcome::Finished);
    ASSERT_FALSE(report->masks.empty());
    EXPECT_EQ(all<TokenProduced>().size(), report->tokens.size());
    EXPECT_EQ(all<MaskProduced>().size(), report->masks.size());
    ASSERT_EQ(all<Done>().size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Done>(m_events.back().payload));

    std::vector<Stage> open;
    std::set<Stage> seen;
    for (const Event& event : m_events) {
        EXPECT_EQ(event.request, request.number);
        if (const auto* began = std::get_if<StageBegan>(&event.payload)) {
            open.push_back(began->stage);
            seen.insert(began->stage);
        } else if (const auto* ended = std::get_if<StageEnded>(&event.payload)) {
            ASSERT_FALSE(open.empty());
            EXPECT_EQ(open.back(), ended->stage);
            EXPECT_GE(ended->extraPeakBytes, 0);
            open.pop_back();
        }
    }
    EXPECT_TRUE(open.empty());
    for (const Stage stage : {Stage::Vision, Stage::Prefill, Stage::Decode, Stage::Mask})
        EXPECT_TRUE(seen.contains(stage)) << nameOf(stage);

    const Mask& mask = *report->masks.front();
    EXPECT_EQ(mask.width, request.images.front()->width);
    EXPECT_EQ(mask.height, request.images.front()->height);
    EXPECT_EQ(std::count(mask.bits.begin(), mask.bits.end(), 1), mask.area);
    EXPECT_EQ(report->tokens.at(std::size_t(mask.tokenIndex)),
        all<TokenProduced>().at(std::size_t(mask.tokenIndex)).id);
    EXPECT_TRUE(all<TokenProduced>().at(std::size_t(mask.tokenIndex)).isMask);

    const auto samples = all<MemoryMeasured>();
    ASSERT_FALSE(samples.empty());
    for (const MemoryMeasured& measured : samples) {
        std::int64_t sum = 0;
        for (const std::int64_t bytes : measured.sample.byCategory)
            sum += bytes;
        EXPECT_EQ(sum, measured.sample.live);
    }
}

TEST_F(EngineTest, TellsWhatWatchingTheRunTook) {
    const auto report = run(requestFor(sample(0)));
    const TelemetryCost cost = engine().telemetry();
    EXPECT_GT(cost.samplerMs, 0);
    EXPECT_GT(cost.sinkMs, 0);
    EXPECT_GT(cost.runMs, report->ms.at(Stage::Decode));
    ASSERT_TRUE(std::isfinite(cost.share()));
    EXPECT_DOUBLE_EQ(cost.share(), (cost.samplerMs + cost.sinkMs) / cost.runMs);
    EXPECT_LT(cost.share(), 1);
    // It is known when the last event is told, and a sink that works shows.
    double told = 0;
    (void)engine().run(requestFor(sample(0)), [&](const Event& event) {
        if (std::holds_alternative<TokenProduced>(event.payload))
            for (const double begin = threadProcessorMs(); threadProcessorMs() < begin + 2;) { }
        if (std::holds_alternative<Done>(event.payload))
            told = engine().telemetry().sinkMs;
    });
    EXPECT_GE(told, 2 * double(report->tokens.size()));
    EXPECT_EQ(TelemetryCost{}.share(), 0);
}

TEST_F(EngineTest, RemembersTheImageForTheNextRequest) {
    const Sample picture = sample(1);
    run(requestFor(picture));
    EXPECT_EQ(run(requestFor(picture))->ms.count(Stage::Vision), 0U);
    Request larger = requestFor(picture);
    larger.settings.pixels = 2 * engine().info().trainingPixels;
    EXPECT_EQ(run(larger)->ms.count(Stage::Vision), 1U);
}

TEST_F(EngineTest, SeesANativeImageAtItsOwnSize) {
    Request request = requestFor(sample(0));
    request.settings.pixels = kNativePixels;
    const Image& image = *request.images.front();
    const double own = double(image.width) * image.height / 256; // patches
    EXPECT_NEAR(run(request)->patches, own, 0.1 * own) << "sides are multiples of 32";
}

TEST_F(EngineTest, GivesEqualAnswersOnEveryPath) {
    for (std::size_t i = 0; i < 2; ++i) {
        Request request = requestFor(sample(i));
        request.settings.attention = AttentionPath::Sdpa;
        const auto sdpa = run(request);
        for (const AttentionPath path :
            {AttentionPath::Auto, AttentionPath::Flash, AttentionPath::Ring, AttentionPath::Mha}) {
            request.settings.attention = path;
            const auto other = run(request);
            EXPECT_EQ(other->tokens, sdpa->tokens) << nameOf(path);
            ASSERT_EQ(other->masks.size(), sdpa->masks.size());
            for (std::size_t m = 0; m < sdpa->masks.size(); ++m) {
                const auto& a = sdpa->masks[m]->bits;
                const auto& b = other->masks[m]->bits;
                std::size_t differing = 0;
                for (std::size_t k = 0; k < a.size(); ++k)
                    differing += a[k] != b[k];
                if (path == AttentionPath::Auto)
                    EXPECT_EQ(differing, 0U); // the same path, so the same bytes
                else
                    EXPECT_LE(differing, a.size() / 10000) << nameOf(path);
            }
        }
    }
}

/// The lane of each rank rises to its peak, exactly, and falls again.
void expectLanes(const std::vector<RankMeasured>& measured, const Report& report) {
    std::vector<std::int64_t> peaks(report.ranks.size(), 0), last(report.ranks.size(), -1);
    std::vector<std::int64_t> staging(report.ranks.size(), 0);
    for (const auto& [sample] : measured) {
        const auto rank = std::size_t(sample.rank);
        ASSERT_LT(rank, peaks.size());
        peaks[rank] = std::max(peaks[rank], sample.live);
        staging[rank] = std::max(staging[rank], sample.staging);
        last[rank] = sample.live;
    }
    for (std::size_t rank = 0; rank < peaks.size(); ++rank) {
        EXPECT_EQ(peaks[rank], report.ranks[rank].peakBytes);
        EXPECT_LT(last[rank], peaks[rank]);
        EXPECT_LT(staging[rank], peaks[rank]);
        if (peaks.size() > 1) {
            EXPECT_GT(staging[rank], 0);
        }
    }
}

TEST_F(EngineTest, TellsWhatEachRankOfARingHeld) {
    Request request = requestFor(sample(0));
    request.settings.pixels = 512 * 512; // 1,024 patches
    request.settings.attention = AttentionPath::Sdpa;
    const auto single = run(request);
    EXPECT_TRUE(single->ranks.empty());
    EXPECT_TRUE(all<RankMeasured>().empty());
    request.settings.attention = AttentionPath::Ring;
    std::int64_t largest = 0;
    for (const std::size_t ranks : {1, 2, 4}) {
        request.settings.ringDevices.assign(ranks, "cpu");
        const auto report = run(request);
        EXPECT_EQ(report->attention.used, AttentionPath::Ring);
        EXPECT_EQ(report->attention.reason, "");
        ASSERT_EQ(report->ranks.size(), ranks);
        for (const RankMemory& rank : report->ranks) {
            EXPECT_EQ(rank.device, "cpu");
            EXPECT_GT(rank.peakBytes, 0);
        }
        expectLanes(all<RankMeasured>(), *report);
        if (ranks > 1) {
            EXPECT_LT(report->ranks[0].peakBytes, largest) << "more ranks, smaller shares";
        }
        largest = report->ranks[0].peakBytes;
        EXPECT_EQ(report->tokens, single->tokens);
    }
    // Devices that are not there are refused, and the next request runs.
    request.settings.ringDevices = {"cuda:0", "cuda:1"};
    const auto refused = engine().run(request, [](const Event&) {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::Device);
    request.settings.ringDevices.clear();
    EXPECT_EQ(run(request)->ranks.size(), 2U);
}

TEST_F(EngineTest, StopsARingAndRunsTheNextRequest) {
    Request request = requestFor(sample(0));
    request.settings.attention = AttentionPath::Ring;
    const auto stopAtTheMask = [&](const Event& event) {
        const auto* began = std::get_if<StageBegan>(&event.payload);
        if (began && began->stage == Stage::Mask)
            request.stop.request_stop();
    };
    const auto stopped = engine().run(request, stopAtTheMask).value();
    EXPECT_EQ(stopped->outcome, Outcome::Cancelled);
    EXPECT_TRUE(stopped->masks.empty());
    request.stop = std::stop_source();
    EXPECT_FALSE(run(request)->masks.empty());
}

TEST_F(EngineTest, ShowsWhatTheMaterialisingPathCosts) {
    Request request = requestFor(sample(0));
    request.settings.pixels = 512 * 512; // 1,024 patches
    request.settings.attention = AttentionPath::Sdpa;
    const auto sdpa = run(request);
    request.settings.attention = AttentionPath::Mha;
    const auto mha = run(request);
    const std::int64_t patches = mha->patches;
    const std::int64_t matrix = 8 * patches * patches * 4;
    EXPECT_GE(
        mha->extraPeakBytes.at(Stage::Mask), sdpa->extraPeakBytes.at(Stage::Mask) + matrix / 2);
}

TEST_F(EngineTest, GivesTheSameTokensWithoutACache) {
    for (std::size_t i = 0; i < 4; ++i) {
        Request request = requestFor(sample(i));
        const auto cached = run(request);
        request.settings.kvCache = KvCacheMode::Off;
        const auto uncached = run(request);
        EXPECT_EQ(uncached->tokens, cached->tokens) << request.text;
    }
}

TEST_F(EngineTest, GivesTheSameMasksStreamedAndInABatch) {
    Request request = requestFor(sample(0));
    const auto streamed = run(request);
    request.settings.maskPass = MaskPass::Batch;
    const auto batch = run(request);
    ASSERT_EQ(batch->masks.size(), streamed->masks.size());
    for (std::size_t m = 0; m < batch->masks.size(); ++m)
        EXPECT_EQ(batch->masks[m]->bits, streamed->masks[m]->bits);
}

TEST_F(EngineTest, FailsWithinTheMemoryLimitAndGoesOn) {
    Request request = requestFor(sample(0));
    const auto before = run(request);
    ASSERT_FALSE(before->masks.empty());
    const std::int64_t live = cpuLedger().live();
    for (const Preflight preflight : {Preflight::On, Preflight::Off}) {
        Request small = request;
        small.settings.pixels = 400 * 400;
        small.settings.memoryLimit = live + (2 << 20);
        small.settings.preflight = preflight;
        m_events.clear();
        const auto result = engine().run(small, [this](const Event& e) { m_events.push_back(e); });
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().kind, ErrorKind::Memory);
        EXPECT_TRUE(std::holds_alternative<Failed>(m_events.back().payload));
        EXPECT_LE(cpuLedger().live(), live);
        const auto after = run(request);
        EXPECT_EQ(after->tokens, before->tokens);
        ASSERT_EQ(after->masks.size(), before->masks.size());
        EXPECT_EQ(after->masks.front()->bits, before->masks.front()->bits);
    }
}

TEST_F(EngineTest, EndsAsCancelledWhenStoppedBeforeOrDuringTheRun) {
    Request early = requestFor(sample(0));
    early.stop.request_stop();
    EXPECT_EQ(run(early)->outcome, Outcome::Cancelled);

    Request late = requestFor(sample(0));
    m_events.clear();
    const auto report = engine()
                            .run(late,
                                [&](const Event& event) {
                                    m_events.push_back(event);
                                    if (std::holds_alternative<TokenProduced>(event.payload))
                                        late.stop.request_stop();
                                })
                            .value();
    EXPECT_EQ(report->outcome, Outcome::Cancelled);
    EXPECT_EQ(report->tokens.size(), 1U);
    EXPECT_EQ(run(requestFor(sample(0)))->outcome, Outcome::Finished);
}

TEST_F(EngineTest, PredictsThePeakOfEachSizeAndPath) {
    for (const AttentionPath path : {AttentionPath::Sdpa, AttentionPath::Mha})
        for (const std::int64_t side : {192, 256, 384, 512, 640, 1024}) {
            if (path == AttentionPath::Mha && side > 640)
                continue; // a gigabyte, and a minute on a busy machine
            Request request = requestFor(sample(0));
            request.settings.pixels = side * side;
            request.settings.attention = path;
            request.settings.memoryLimit = std::int64_t(4) << 30;
            run(requestFor(sample(1))); // another picture, so that nothing of this one is kept
            const auto report = run(request);
            std::int64_t peak = 0; // above the state after loading, which is the weights
            for (const auto& [sample] : all<MemoryMeasured>())
                peak = std::max(
                    peak, sample.live - sample.byCategory[std::size_t(MemoryCategory::Weights)]);
            EXPECT_NEAR(double(report->predictedPeakBytes), double(peak),
                std::max(0.02 * double(peak), double(1 << 20)))
                << nameOf(path) << ' ' << side;
        }
}

TEST_F(EngineTest, ForetellsWhatEverySizeNeedsOnEveryPath) {
    const std::int64_t most = engine().info().mostPixels;
    const auto forecasts = engine().forecasts({500'000, 2'000'000, most + 1});
    ASSERT_EQ(forecasts.size(), 8U); // mha, sdpa, flash and ring; nothing that is too large
    for (std::size_t i = 0; i < forecasts.size(); i += 2) {
        const RunForecast &small = forecasts[i], &large = forecasts[i + 1];
        EXPECT_EQ(small.patches, 1944);
        EXPECT_EQ(large.patches, 7776);
        EXPECT_LE(small.maskBytes, small.peakBytes);
        const double growth = double(large.peakBytes) / double(small.peakBytes);
        if (large.path == AttentionPath::Mha) // 8 heads, two matrices in fp32
            EXPECT_GT(large.maskBytes, std::int64_t(64) * 7776 * 7776);
        else
            EXPECT_LT(growth, 4.1) << nameOf(large.path); // of the patches: 4
    }
}

TEST_F(EngineTest, RefusesWhatItCannotRun) {
    EngineOptions options;
    options.model = kResources / "models/lens-small";
    options.device = "cuda:0";
    EXPECT_EQ(Engine::create(options).error().kind, ErrorKind::Device);
    options.device = "cpu";
    options.model = kResources / "examples";
    EXPECT_EQ(Engine::create(options).error().kind, ErrorKind::Model);
    options.model = "/nowhere";
    EXPECT_EQ(Engine::create(options).error().kind, ErrorKind::Model);
    options.model = kResources / "models/lens-small";
    options.precision = Precision::Float16;
    EXPECT_EQ(Engine::create(options).error().kind, ErrorKind::Device);
    Request half = requestFor(sample(0));
    half.settings.precision = Precision::Float16;
    const Error error = engine().run(half, [](const Event&) {}).error();
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_NE(error.sentence.find("bf16 or fp32"), std::string::npos);
}

} // namespace
} // namespace maskscope
