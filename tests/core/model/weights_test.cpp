// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/weights.h"
#include "tests/stored_tensors.h"
#include "tests/temporary_folder.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

class WeightsTest : public testing::Test {
protected:
    WeightsTest() {
        test::storeTensors(folder.path() / "model.safetensors",
            {{"a.weight", at::arange(6).to(at::kFloat).view({2, 3})}, {"b", at::full({4}, 0.5)}});
    }

    Weights load() const { return Weights::fromFolder(folder.path(), at::kFloat); }
    Weights train(Weights::Mismatch mismatch) const {
        return Weights::forTraining({folder.path() / "model.safetensors"}, mismatch, 7);
    }

    test::TemporaryFolder folder;
};

template <class Action>
std::string sentenceOf(const Action& action) {
    try {
        action();
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Model);
        return failure.what();
    }
    return "no failure";
}

void expectIn(const std::string& sentence, std::initializer_list<const char*> parts) {
    for (const auto* part : parts)
        EXPECT_NE(sentence.find(part), std::string::npos) << part << " is not in: " << sentence;
}

} // namespace

TEST_F(WeightsTest, GivesEachTensorOnceAndFinishes) {
    auto weights = load();
    EXPECT_TRUE(at::equal(weights.take("a.weight", {2, 3}, Init::zeros()),
        at::arange(6).to(at::kFloat).view({2, 3})));
    weights.take("b", {4}, Init::zeros());
    EXPECT_NO_THROW(weights.finish());
    EXPECT_EQ(weights.all().size(), 2u);
    EXPECT_EQ(weights.all()[1].first, "b");
    EXPECT_THROW(weights.take("b", {4}, Init::zeros()), Failure);
}

TEST_F(WeightsTest, ConvertsToTheWantedType) {
    auto weights = Weights::fromFolder(folder.path(), at::kBFloat16);
    EXPECT_EQ(weights.take("b", {4}, Init::zeros()).scalar_type(), at::kBFloat16);
}

TEST_F(WeightsTest, NamesAMissingTensor) {
    auto weights = load();
    expectIn(sentenceOf([&] { weights.take("c.bias", {5}, Init::zeros()); }),
        {"c.bias", "[5]", "missing", "model.safetensors"});
}

TEST_F(WeightsTest, NamesAMisshapenTensorWithBothShapes) {
    auto weights = load();
    expectIn(sentenceOf([&] {
        weights.take("a.weight", {3, 2}, Init::zeros());
    }),
        {"a.weight", "[2, 3]", "[3, 2]"});
}

TEST_F(WeightsTest, NamesATensorThatNobodyAskedFor) {
    auto weights = load();
    weights.take("b", {4}, Init::zeros());
    expectIn(sentenceOf([&] { weights.finish(); }), {"a.weight", "[2, 3]"});
}

TEST_F(WeightsTest, RefusesAFolderWithoutAFile) {
    const test::TemporaryFolder empty;
    EXPECT_THROW(Weights::fromFolder(empty.path(), at::kFloat), Failure);
}

TEST_F(WeightsTest, ReadsShardsOfAnIndex) {
    const test::TemporaryFolder sharded;
    test::storeTensors(sharded.path() / "one.safetensors", {{"a", at::ones({1})}});
    test::storeTensors(sharded.path() / "two.safetensors", {{"b", at::zeros({2})}});
    sharded.write("model.safetensors.index.json",
        R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})");
    auto weights = Weights::fromFolder(sharded.path(), at::kFloat);
    weights.take("a", {1}, Init::zeros());
    weights.take("b", {2}, Init::zeros());
    EXPECT_NO_THROW(weights.finish());
}

TEST_F(WeightsTest, AnIndexCannotPointOutOfTheFolder) {
    const test::TemporaryFolder sharded;
    sharded.write(
        "model.safetensors.index.json", R"({"weight_map": {"a": "../model.safetensors"}})");
    expectIn(sentenceOf([&] { Weights::fromFolder(sharded.path(), at::kFloat); }), {"a"});
}

TEST_F(WeightsTest, DrawsWhatTrainingStartsWithoutBySeedAndName) {
    auto one = train(Weights::Mismatch::Refuse);
    const auto stored = one.take("b", {4}, Init::zeros());
    const auto drawn = one.take("c", {100}, Init::normal(2));
    EXPECT_TRUE(at::equal(stored, at::full({4}, 0.5)));
    EXPECT_EQ(one.drawn(), std::vector<std::string>{"c"});
    EXPECT_NEAR(drawn.std().item<double>(), 2, 0.5);
    auto other = train(Weights::Mismatch::Refuse);
    const auto different = other.take("d", {100}, Init::normal(2));
    EXPECT_TRUE(at::equal(other.take("c", {100}, Init::normal(2)), drawn));
    EXPECT_FALSE(at::equal(different, drawn));
    EXPECT_NO_THROW(other.finish()) << "a start file may hold more than the model has";
}

TEST_F(WeightsTest, DrawsAnotherShapeOnlyWhenAllowed) {
    auto strict = train(Weights::Mismatch::Refuse);
    EXPECT_THROW(strict.take("b", {5}, Init::ones()), Failure);
    auto lenient = train(Weights::Mismatch::Draw);
    EXPECT_TRUE(at::equal(lenient.take("b", {5}, Init::ones()), at::ones({5})));
}

} // namespace maskscope
