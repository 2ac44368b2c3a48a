// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/asked_objects.h"

#include "tests/core/train/wave.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/softmax.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

class AskedObjectsTest : public testing::Test {
protected:
    AskedObjectsTest() {
        found.scores = wave({2, 5}, 0.3, 0.4).abs();
        found.classes = at::softmax(wave({2, 5, 4}, 0.9, 3), 2);
    }

    static LensConfig config() {
        LensConfig config;
        config.classes = {"cat", "dog"};
        config.language.width = 8;
        return config;
    }

    const at::NoGradGuard guard;
    Weights weights = Weights::forTraining({}, Weights::Mismatch::Draw, 3);
    AskedObjects asked{weights, config()};
    FoundObjects found;
    at::Tensor states = wave({2, 8}, 0.7, 1), tokens = wave({2, 5, 8}, 0.21, 1);
};

TEST_F(AskedObjectsTest, JudgesEachObjectOfEachRequestByItself) {
    const auto both = asked(states, found, tokens);
    ASSERT_EQ(both.sizes(), (std::vector<std::int64_t>{2, 5}));
    const FoundObjects second{
        found.scores.slice(0, 1).slice(1, 2, 3), {}, {}, found.classes.slice(0, 1).slice(1, 2, 3)};
    const auto alone = asked(states.slice(0, 1), second, tokens.slice(0, 1).slice(1, 2, 3));
    EXPECT_NEAR(alone.item<double>(), both[1][2].item<double>(), 1e-5);
}

TEST_F(AskedObjectsTest, DependsOnTheRequest) {
    const auto before = asked(states, found, tokens);
    const auto after = asked(states + 0.5, found, tokens);
    EXPECT_GT((after - before).abs().min().item<double>(), 1e-4);
}

} // namespace
} // namespace maskscope
