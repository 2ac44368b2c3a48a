// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancelled.h"
#include "core/mask/mask_decoder.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// A decoder of random weights and images of random features.
struct Random {
    LensConfig config = [] {
        LensConfig made;
        made.vision.width = made.language.width = 48;
        made.mask.width = 32;
        made.classes = {"cat", "dog"};
        return made;
    }();
    Weights weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 4);
    MaskDecoder decoder{weights, config};
    std::int64_t B, gh, gw;
    VisionFeatures features;
    at::Tensor patches, softClass, classLogits, objects;

    Random(std::int64_t batch, std::int64_t gridHeight, std::int64_t gridWidth)
        : B(batch)
        , gh(gridHeight)
        , gw(gridWidth) {
        at::manual_seed(9);
        features.pixels = at::randn({B, 48, 4 * gh, 4 * gw});
        features.stride4 = at::randn({B, 24, 4 * gh, 4 * gw});
        features.stride8 = at::randn({B, 40, 2 * gh, 2 * gw});
        features.gridHeight = gh;
        features.gridWidth = gw;
        patches = at::randn({B, gh * gw, 48});
        softClass = at::randn({B, gh * gw, 48});
        classLogits = at::randn({B, gh * gw, 4});
        objects = at::rand({B, 3, gh * gw});
    }

    DecoderImage image(const AttentionRun& run = {}) const {
        return decoder.image(features, patches, softClass, classLogits, objects, run);
    }

    /// Words, a click, a box, words with a click: one each.
    MaskQuery query(const std::vector<std::int64_t>& images) const {
        std::vector<ObjectPrompt> prompts(images.size());
        prompts.back().points = {{0.3, 0.6, PointSign::Positive}, {0.8, 0.1, PointSign::Negative}};
        prompts.front().box = BoxPrompt{0.1, 0.2, 0.7, 0.9};
        const auto states = at::randn({std::int64_t(images.size()), 48});
        return {states, at::softmax(decoder.classLogits(states), -1),
            at::rand({std::int64_t(images.size()), 3}), promptMaps(prompts, gh, gw),
            at::tensor(images, at::kLong)};
    }
};

MaskQuery one(const MaskQuery& query, std::int64_t n, std::int64_t image) {
    const auto pick = [&](const at::Tensor& x) { return x.narrow(0, n, 1); };
    return {pick(query.states), pick(query.classProbabilities), pick(query.meant),
        {pick(query.prompts.maps16), pick(query.prompts.maps4), pick(query.prompts.boxes)},
        at::full({1}, image, at::kLong)};
}

} // namespace

TEST(MaskDecoder, GivesMasksOfAnySize) {
    const c10::NoGradGuard inference;
    for (const auto& [gh, gw] : {std::pair{2, 2}, std::pair{2, 40}, std::pair{12, 6}}) {
        const Random random(1, gh, gw);
        const auto out = random.decoder.decode(random.image(), random.query({0, 0}), {});
        EXPECT_EQ(out.logits.sizes(), (at::IntArrayRef{2, 1, 8 * gh, 8 * gw}));
        EXPECT_EQ(out.similarity.sizes(), (at::IntArrayRef{2, gh * gw}));
        EXPECT_EQ(out.box.sizes(), (at::IntArrayRef{2, 4}));
        EXPECT_TRUE(out.logits.isfinite().all().item<bool>());
        EXPECT_TRUE((out.score.ge(0) & out.score.le(1)).all().item<bool>());
    }
}

TEST(MaskDecoder, QueriesAndImagesDoNotSeeEachOther) {
    const c10::NoGradGuard inference;
    const Random random(2, 4, 6);
    const auto image = random.image();
    const auto query = random.query({0, 1, 0});
    const auto together = random.decoder.decode(image, query, {});
    for (std::int64_t n = 0; n < 3; ++n) {
        const auto alone = random.decoder.decode(image, one(query, n, n == 1), {});
        EXPECT_LE(test::difference(alone.logits[0], together.logits[n]), 1e-4);
        EXPECT_LE(test::difference(alone.score[0], together.score[n]), 1e-5);
    }
    const Random second(2, 4, 6);
    const auto moved = second.decoder.decode(image, one(query, 0, 1), {});
    EXPECT_GT(test::difference(moved.logits[0], together.logits[0]), 1e-2);
}

TEST(MaskDecoder, EveryPromptMatters) {
    const c10::NoGradGuard inference;
    const Random random(1, 4, 6);
    const auto image = random.image();
    const auto logitsOf = [&](const ObjectPrompt& prompt) {
        const MaskQuery query{
            {}, {}, at::zeros({1, 3}), promptMaps({prompt}, 4, 6), at::zeros({1}, at::kLong)};
        return random.decoder.decode(image, query, {}).logits;
    };
    const auto none = logitsOf({});
    const auto click = logitsOf({{{0.3, 0.6, PointSign::Positive}}, {}, {}});
    const auto negative = logitsOf({{{0.3, 0.6, PointSign::Negative}}, {}, {}});
    const auto box = logitsOf({{}, BoxPrompt{0.1, 0.2, 0.7, 0.9}, {}});
    const auto corrected = logitsOf({{}, {}, at::ones({32, 48})});
    for (const auto& logits : {click, negative, box, corrected})
        EXPECT_GT(test::difference(logits, none), 1e-3);
    EXPECT_GT(test::difference(click, negative), 1e-3);
}

TEST(MaskDecoder, GivesTheSameInBandsAsInTraining) {
    const Random random(1, 24, 120); // more patches than a band and than a chunk of rows
    const auto query = random.query({0});
    const auto inference = [&] {
        const c10::NoGradGuard guard;
        return random.decoder.decode(random.image(), query, {});
    }();
    for (const auto& [name, tensor] : random.weights.all())
        tensor.requires_grad_(true);
    const auto training = random.decoder.decode(random.image(), query, {});
    EXPECT_LE(test::difference(inference.logits, training.logits.detach()), 1e-4);
    EXPECT_LE(test::difference(inference.similarity, training.similarity.detach()), 1e-4);
    EXPECT_LE(test::difference(inference.score, training.score.detach()), 1e-5);
}

TEST(MaskDecoder, PathsAgree) {
    const c10::NoGradGuard inference;
    const Random random(1, 12, 20);
    const auto query = random.query({0});
    const auto with = [&](AttentionPath path) {
        return random.decoder.decode(random.image({path, {}}), query, {path, {}}).logits;
    };
    const auto sdpa = with(AttentionPath::Sdpa);
    EXPECT_LE(test::difference(with(AttentionPath::Mha), sdpa), 1e-4);
    EXPECT_LE(test::difference(with(AttentionPath::Flash), sdpa), 1e-4);
}

TEST(MaskDecoder, MemoryIsLinearInThePatchesExceptOnMha) {
    installCountingAllocator();
    const c10::NoGradGuard inference;
    const auto peakOf = [](std::int64_t side, AttentionPath path) {
        const Random random(1, side, side);
        const auto query = random.query({0});
        PeakWindow window(cpuLedger());
        random.decoder.decode(random.image({path, {}}), query, {path, {}});
        return double(window.peak() - window.liveAtStart());
    };
    // Four times the patches.
    EXPECT_LT(peakOf(64, AttentionPath::Sdpa), 4.2 * peakOf(32, AttentionPath::Sdpa));
    EXPECT_LT(peakOf(64, AttentionPath::Flash), 4.2 * peakOf(32, AttentionPath::Flash));
    const double matrix = 8.0 * 1024 * 1024 * 4; // scores and their softmax are two of these
    EXPECT_GT(peakOf(32, AttentionPath::Mha), peakOf(32, AttentionPath::Sdpa) + 1.5 * matrix);
}

TEST(MaskDecoder, StopsWhenAsked) {
    const c10::NoGradGuard inference;
    const Random random(1, 4, 6);
    const auto image = random.image();
    std::stop_source source;
    source.request_stop();
    const AttentionRun run{AttentionPath::Sdpa, source.get_token()};
    EXPECT_THROW(random.image(run), Cancelled);
    EXPECT_THROW(random.decoder.decode(image, random.query({0}), run), Cancelled);
}

} // namespace maskscope
