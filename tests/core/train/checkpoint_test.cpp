// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/base/error.h"
#include "core/model/safetensors.h"
#include "tests/core/train/wave.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

namespace maskscope {
namespace {

std::filesystem::path fileNamed(const char* name) {
    return std::filesystem::path(::testing::TempDir()) / name;
}

std::string sentenceOf(const std::function<void()>& work) {
    try {
        work();
    } catch (const Failure& failure) {
        return failure.error().sentence;
    }
    return "";
}

TEST(Checkpoint, GivesBackEveryBitAndTheProgress) {
    const auto file = fileNamed("checkpoint_bits.safetensors");
    const NamedTensors saved{
        {"a", wave({3, 4}, 0.3, 0.1)}, {"a#steps", at::full({}, 7.0F)}, {"b", wave({5}, 0.9, 2)}};
    writeCheckpoint(file, saved, {"joint", false, 12345678901234567ULL, 17, 170, 12.5});
    const NamedTensors loaded{
        {"b", at::zeros({5})}, {"a", at::zeros({3, 4})}, {"a#steps", at::zeros({})}};
    const auto progress = readCheckpoint(file, loaded);
    EXPECT_EQ(progress.stage, "joint");
    EXPECT_FALSE(progress.stageDone);
    EXPECT_EQ(progress.seed, 12345678901234567ULL);
    EXPECT_EQ(progress.steps, 17U);
    EXPECT_EQ(progress.images, 170U);
    EXPECT_EQ(progress.seconds, 12.5);
    EXPECT_EQ(floatsOf(loaded[0].second), floatsOf(saved[2].second));
    EXPECT_EQ(floatsOf(loaded[1].second), floatsOf(saved[0].second));
    EXPECT_EQ(loaded[2].second.item<float>(), 7);
}

TEST(Checkpoint, RefusesOtherTensorsByNameAndChangesNothing) {
    const auto file = fileNamed("checkpoint_other.safetensors");
    writeCheckpoint(file, {{"a", wave({3}, 0.3, 0.1)}, {"b", wave({4}, 0.3, 0.1)}}, {"joint"});
    const auto a = at::zeros({3});
    EXPECT_NE(sentenceOf([&] {
        readCheckpoint(file, {{"a", a}, {"c", at::zeros({4})}});
    }).find("no tensor c"),
        std::string::npos);
    const auto shapes = sentenceOf([&] {
        readCheckpoint(file, {{"a", a}, {"b", at::zeros({2, 2})}});
    });
    EXPECT_NE(shapes.find("[4]"), std::string::npos);
    EXPECT_NE(shapes.find("[2, 2]"), std::string::npos);
    EXPECT_NE(sentenceOf([&] {
        readCheckpoint(file, {{"a", a}});
    }).find("2 tensors"),
        std::string::npos);
    EXPECT_EQ(a.abs().max().item<float>(), 0);
}

TEST(Checkpoint, RefusesWeightsThatAreNoCheckpoint) {
    const auto file = fileNamed("weights_only.safetensors");
    writeWeights(file, {{"a", wave({3}, 0.3, 0.1)}}, at::kHalf, {{"format", "pt"}});
    EXPECT_NE(sentenceOf([&] { readProgress(file); }).find("not a checkpoint"), std::string::npos);
}

TEST(WriteWeights, RoundsToHalfAndRefusesOverflow) {
    const auto file = fileNamed("weights_half.safetensors");
    writeWeights(file, {{"a", at::full({2}, 0.1F)}}, at::kHalf, {});
    const SafetensorsFile stored(file);
    ASSERT_NE(stored.find("a"), nullptr);
    EXPECT_EQ(stored.find("a")->dtype, Dtype::F16);
    EXPECT_EQ(int(stored.find("a")->bytes[0]), 0x66); // 0.1 is 0x2e66 in binary16
    EXPECT_EQ(int(stored.find("a")->bytes[1]), 0x2e);
    EXPECT_NE(sentenceOf([&] {
        writeWeights(file, {{"big", at::full({2}, 1e6F)}}, at::kHalf, {});
    }).find("big"),
        std::string::npos);
}

} // namespace
} // namespace maskscope
