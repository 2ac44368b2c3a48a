// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancelled.h"
#include "core/model/language_model.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <limits>

namespace maskscope {
namespace {

const std::string kFile = MASKSCOPE_TEST_DATA "/golden/language_model.safetensors";

/// The random Llama of tests/golden/language_model.py and what transformers makes of it.
struct Golden {
    static LanguageConfig config() {
        LanguageConfig config;
        config.vocabulary = 50;
        config.width = 24;
        config.layers = 3;
        config.heads = 6;
        config.kvHeads = 2;
        config.headDim = 8;
        config.mlpWidth = 40;
        config.mostPositions = 512;
        return config;
    }

    test::StoredTensors stored{kFile};
    Weights weights = Weights::forTraining({kFile}, Weights::Mismatch::Refuse, 0);
    LanguageModel model{weights, config(), ""};
    at::Tensor ids = stored["ids"]; ///< [2, 80]
    at::Tensor embeddings = model.embed(ids);
};

/// Hidden states of the golden sequence, fed to a memory in pieces of these sizes.
at::Tensor inPieces(const Golden& golden, const std::vector<std::int64_t>& sizes) {
    auto state = golden.model.newState(2, 80);
    std::vector<at::Tensor> hidden;
    for (const auto size : sizes) {
        const auto piece = golden.embeddings.narrow(1, state.length(), size);
        hidden.push_back(golden.model.extend(state, piece));
    }
    return at::cat(hidden, 1);
}

class LanguageModelTest : public testing::Test {
protected:
    Golden golden;
    c10::NoGradGuard inference;
};

} // namespace

TEST_F(LanguageModelTest, GivesTransformersLogits) {
    EXPECT_TRUE(golden.weights.drawn().empty());
    const auto hidden = golden.model.forward(golden.embeddings, at::arange(80), {});
    EXPECT_LE(test::difference(hidden, golden.stored["hidden"]), 1e-4);
    EXPECT_LE(test::difference(golden.model.logits(hidden), golden.stored["logits"]), 1e-4);
}

TEST_F(LanguageModelTest, CachedIsUncachedHoweverItIsFed) {
    const auto whole = golden.model.forward(golden.embeddings, at::arange(80), {});
    EXPECT_LE(test::difference(inPieces(golden, {80}), whole), 1e-5);
    EXPECT_LE(test::difference(inPieces(golden, {50, 30}), whole), 1e-5);
    auto sizes = std::vector<std::int64_t>(41, 1);
    sizes.front() = 40;
    EXPECT_LE(test::difference(inPieces(golden, sizes), whole), 1e-5);
}

TEST_F(LanguageModelTest, GoesOnFromATruncatedMemory) {
    auto state = golden.model.newState(2, 80);
    golden.model.extend(state, golden.embeddings.narrow(1, 0, 40));
    golden.model.extend(state, at::randn({2, 10, 24})); // to be forgotten
    state.truncate(40);
    const auto hidden = golden.model.extend(state, golden.embeddings.narrow(1, 40, 40));
    EXPECT_LE(test::difference(hidden, golden.stored["hidden"].narrow(1, 40, 40)), 1e-4);
}

TEST_F(LanguageModelTest, LetsRequestsBehindOnePrefixStandForThemselves) {
    // Two requests of 10 tokens behind a prefix of 20, in one sequence with a block mask.
    const auto prefix = golden.embeddings.narrow(1, 0, 20);
    const auto first = golden.embeddings.narrow(1, 20, 10);
    const auto second = golden.embeddings.narrow(1, 30, 10);
    auto hidden = at::ones({40, 40}, at::kBool).triu(1);
    hidden.narrow(0, 30, 10).narrow(1, 20, 10).fill_(true);
    const auto mask
        = at::zeros({1, 1, 40, 40}).masked_fill(hidden, -std::numeric_limits<double>::infinity());
    const auto positions = at::cat({at::arange(30), at::arange(20, 30)});
    const auto shared = golden.model.forward(at::cat({prefix, first, second}, 1), positions, mask);
    const auto alone = golden.model.forward(at::cat({prefix, second}, 1), at::arange(30), {});
    EXPECT_LE(test::difference(shared.narrow(1, 30, 10), alone.narrow(1, 20, 10)), 1e-5);
}

TEST_F(LanguageModelTest, AStoppedStepLeavesTheMemoryAsItWas) {
    auto state = golden.model.newState(2, 80);
    golden.model.extend(state, golden.embeddings.narrow(1, 0, 40));
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(
        golden.model.extend(state, golden.embeddings.narrow(1, 40, 10), source.get_token()),
        Cancelled);
    EXPECT_EQ(state.length(), 40);
    EXPECT_THROW(golden.model.extend(state, golden.embeddings.narrow(1, 0, 41)), Failure);
    EXPECT_EQ(state.length(), 40);
    const auto hidden = golden.model.extend(state, golden.embeddings.narrow(1, 40, 40));
    EXPECT_LE(test::difference(hidden, golden.stored["hidden"].narrow(1, 40, 40)), 1e-4);
}

TEST_F(LanguageModelTest, MemoryIsTakenOnceAndByKeyValueHeads) {
    const auto state = golden.model.newState(2, 80);
    EXPECT_EQ(state.bytes(), 3 * 2 * (2 * 2 * 80 * 8) * std::int64_t(sizeof(float)));
    EXPECT_EQ(state.length(), 0);
}

} // namespace maskscope
