// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/adamw.h"

#include "core/train/schedule.h"
#include "tests/core/train/wave.h"

#include <gtest/gtest.h>

#include <limits>

namespace maskscope {
namespace {

TEST(AdamW, SixStepsGivePyTorchsValues) {
    auto first = wave({3, 2}, 0.8, 0.1).requires_grad_();
    auto second = wave({4}, 1.7, 0.6).requires_grad_();
    AdamW optimiser({{"first", first, 1, 0.02}, {"second", second, 0.5, 0}}, {});
    for (int step = 0; step < 6; ++step) {
        first.mutable_grad() = 4 * wave({3, 2}, 0.3 + step, 0.2);
        second.mutable_grad() = 0.1 * wave({4}, 0.2, 0.7 * step);
        EXPECT_GT(optimiser.step(1e-2), 1); // the norm before clipping
    }
    const auto wanted = trainValues().at("adamw");
    for (const auto& [name, tensor] : {std::pair{"first", first}, std::pair{"second", second}}) {
        const auto right = wanted.at(name).get<std::vector<float>>();
        const auto values = floatsOf(tensor);
        for (std::size_t i = 0; i < right.size(); ++i)
            EXPECT_NEAR(values[i], right[i], 2e-6) << name << " " << i;
    }
}

TEST(AdamW, LeavesEverythingWhenAGradientIsNotFinite) {
    auto value = wave({4}, 0.8, 0.1).requires_grad_();
    const auto before = floatsOf(value);
    AdamW optimiser({{"value", value, 1, 0.02}}, {});
    value.mutable_grad() = wave({4}, 0.1, 0.2) * std::numeric_limits<float>::infinity();
    optimiser.step(1e-2);
    EXPECT_EQ(floatsOf(value), before);
    EXPECT_FALSE(value.grad().defined());
}

TEST(AdamW, TensorsWithoutGradientStay) {
    auto moved = wave({4}, 0.8, 0.1).requires_grad_();
    auto still = wave({4}, 0.8, 0.1).requires_grad_();
    AdamW optimiser({{"moved", moved, 1, 0.02}, {"still", still, 1, 0.02}}, {});
    moved.mutable_grad() = wave({4}, 0.5, 0.2);
    optimiser.step(1e-2);
    EXPECT_NE(floatsOf(moved), floatsOf(still));
    EXPECT_EQ(floatsOf(still), floatsOf(wave({4}, 0.8, 0.1)));
}

TEST(Schedule, RisesThenFallsToItsFloor) {
    const Schedule schedule{.peak = 2, .warmup = 0.1, .floor = 0.05};
    EXPECT_DOUBLE_EQ(schedule.at(0.05), 1);
    EXPECT_DOUBLE_EQ(schedule.at(0.1), 2);
    EXPECT_NEAR(schedule.at(0.55), 2 * (0.05 + 0.95 / 2), 1e-12); // half way down
    EXPECT_NEAR(schedule.at(1), 0.1, 1e-12);
    EXPECT_NEAR(schedule.at(7), 0.1, 1e-12);
}

} // namespace
} // namespace maskscope
