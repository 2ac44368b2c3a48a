// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training.h"

#include "core/base/error.h"
#include "core/model/safetensors.h"
#include "core/train/adamw.h"
#include "core/train/model_files.h"
#include "tests/core/train/tiny_library.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace maskscope {
namespace {

TrainingMaterial tinyMaterial() {
    at::set_num_threads(1); // tensors this small only lose by more
    return {
        test::tinyLibrary(), Tokenizer(MASKSCOPE_RESOURCES "/models/lens-small/tokenizer.json")};
}

/// As small as the parts allow; only the encoder has its full size.
LensConfig tinyConfig(const TrainingMaterial& material) {
    auto config = lensConfigFor(material);
    config.vision.width = 48;
    config.vision.blocks = 1;
    config.language.width = 48;
    config.language.layers = 2;
    config.language.heads = 3;
    config.language.kvHeads = 1;
    config.language.headDim = 16;
    config.language.mlpWidth = 96;
    config.mask.width = 32;
    config.mask.heads = 4;
    config.mask.contextBlocks = 1;
    config.mask.queryBlocks = 1;
    return config;
}

TrainingSettings tinySettings(const std::filesystem::path& out) {
    TrainingSettings settings;
    settings.tokenizer = MASKSCOPE_RESOURCES "/models/lens-small/tokenizer.json";
    settings.classes = MASKSCOPE_RESOURCES "/models/classes.json";
    settings.out = out;
    settings.classHeadPictures = 4;
    settings.patchesPerPicture = 8;
    settings.classHeadEpochs = 2;
    settings.vision.images = 4;
    settings.language.images = 4;
    settings.languageRequests = 3;
    settings.joint.images = 12;
    settings.batch = 2;
    settings.requests = 2;
    settings.side = 64;
    settings.mixedFrom = 0.5;
    settings.logMinutes = 0;
    settings.checkpointMinutes = 100;
    settings.composers = 2;
    return settings;
}

void expectSameBytes(const std::filesystem::path& a, const std::filesystem::path& b) {
    const SafetensorsFile first(a), second(b);
    ASSERT_EQ(first.tensors().size(), second.tensors().size());
    for (const auto& tensor : first.tensors()) {
        const auto* other = second.find(tensor.name);
        ASSERT_NE(other, nullptr) << tensor.name;
        EXPECT_TRUE(std::ranges::equal(tensor.bytes, other->bytes)) << tensor.name;
    }
}

TEST(Training, InterruptedAndResumedGivesTheBytesOfAnUninterruptedRun) {
    const test::TemporaryFolder folder;
    const auto material = tinyMaterial();
    const auto config = tinyConfig(material);
    const auto whole = folder.path() / "whole", parts = folder.path() / "parts";
    train(material, config, tinySettings(whole), [](const std::string&) {});

    const auto stopAt = [&](const std::string& stage, int step) {
        std::stop_source stop;
        train(
            material, config, tinySettings(parts),
            [&](const std::string& line) {
                if (line.starts_with(stage) && --step == 0)
                    stop.request_stop();
            },
            stop.get_token());
    };
    stopAt("vision", 1);
    EXPECT_EQ(readProgress(parts / "checkpoint.safetensors").stage, "vision");
    stopAt("joint", 3);
    const auto half = readProgress(parts / "checkpoint.safetensors");
    EXPECT_EQ(half.steps, 3U);
    EXPECT_FALSE(half.stageDone);
    train(material, config, tinySettings(parts), [](const std::string&) {});

    const auto done = readProgress(parts / "checkpoint.safetensors");
    EXPECT_EQ(done.images, 12U);
    EXPECT_TRUE(done.stageDone);
    expectSameBytes(whole / "checkpoint.safetensors", parts / "checkpoint.safetensors");
    expectSameBytes(whole / "model/model.safetensors", parts / "model/model.safetensors");

    // What was exported is a model: it loads strictly, with the settings it was made with.
    auto weights = Weights::fromFolder(whole / "model", at::kFloat);
    const Lens lens(weights, readLensConfig(whole / "model/config.json"), material.classTokens());
    EXPECT_EQ(lens.config().mask.width, 32);
    EXPECT_TRUE(std::filesystem::exists(whole / "model/tokenizer.json"));
    EXPECT_FALSE(std::filesystem::exists(whole / "model.new"));
}

TEST(Training, AStageBelowItsGateLetsNoneFollowUntilItsBudgetOrItsGateChanges) {
    const test::TemporaryFolder folder;
    const auto material = tinyMaterial();
    auto settings = tinySettings(folder.path());
    settings.language.images = settings.joint.images = 0;
    settings.gates.scenes = 2;
    settings.gates.vision = 2; // out of reach
    std::string said;
    const auto run = [&] {
        train(material, tinyConfig(material), settings,
            [&said](const std::string& line) { said += line + "\n"; });
    };
    try {
        run();
        FAIL() << "the gate let it pass";
    } catch (const Failure& failure) {
        const std::string what = failure.what();
        EXPECT_NE(what.find("vision stage"), std::string::npos) << what;
        EXPECT_NE(what.find("2.000"), std::string::npos) << what;
    }
    EXPECT_NE(said.find("vision judged on 2 scenes"), std::string::npos) << said;
    const auto file = folder.path() / "checkpoint.safetensors";
    EXPECT_FALSE(readProgress(file).stageDone);

    settings.vision.images += 2;
    EXPECT_THROW(run(), Failure);
    EXPECT_EQ(readProgress(file).images, std::uint64_t(settings.vision.images));

    settings.gates.vision = 0;
    run();
    EXPECT_TRUE(readProgress(file).stageDone);
}

TEST(JointStep, ATinyModelLearnsOneScene) {
    const auto material = tinyMaterial();
    auto weights = Weights::forTraining({}, Weights::Mismatch::Draw, 2);
    const Lens lens(weights, tinyConfig(material), material.classTokens());
    std::vector<TrainedTensor> trained;
    for (const auto& [name, tensor] : weights.all())
        if (!name.starts_with("vision.encoder.") && !name.starts_with("vision.standard.")) {
            auto value = tensor;
            trained.push_back({name, value.requires_grad_(), 1, 0});
        }
    AdamW optimiser(std::move(trained), {});
    const std::vector<Example> examples{material.example(SceneSet::SeenSprites, 5, 64, 64, 3)};
    RandomStream random(1);
    Figures first, last;
    constexpr int kSteps = 80;
    for (int step = 0; step < kSteps; ++step) {
        const auto result = jointStep(lens, material, examples, random);
        result.loss.backward();
        optimiser.step(4e-3);
        (step < 5 ? first : last).add(step < 5 || step >= kSteps - 10 ? result.figures : Figures());
    }
    EXPECT_LT(last.mean(Figure::Answer), 0.2 * first.mean(Figure::Answer));
    EXPECT_LT(last.mean(Figure::PatchClass), 0.5 * first.mean(Figure::PatchClass));
    EXPECT_GT(last.mean(Figure::TextIou), 0.7);
    EXPECT_GT(last.mean(Figure::ClickIou), 0.6);
    EXPECT_GT(last.mean(Figure::PatchRight), 0.9);
}

} // namespace
} // namespace maskscope
