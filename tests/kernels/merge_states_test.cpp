// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/kernels.h"
#include "kernels/softmax_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace maskscope::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// States of T x H queries, as the kernels lay them out.
struct States {
    std::vector<float> o; // [T, H, D]
    std::vector<float> lse; // [H, T]
};

/// Attention over S keys for T x H queries, with the definition's formulas in double.
struct Problem {
    std::int64_t tokens = 5;
    std::int64_t heads = 3;
    std::int64_t keys = 24;
    std::int64_t dim = 7;
    std::vector<double> scores; // [T, H, S]
    std::vector<double> values; // [H, S, D]

    Problem(unsigned seed, double spread) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        scores.resize(static_cast<std::size_t>(tokens * heads * keys));
        values.resize(static_cast<std::size_t>(heads * keys * dim));
        for (double& score : scores)
            score = spread * normal(random);
        for (double& value : values)
            value = normal(random);
    }

    /// The state over the keys begin..end-1.
    States over(std::int64_t begin, std::int64_t end) const {
        States states{std::vector<float>(static_cast<std::size_t>(tokens * heads * dim)),
            std::vector<float>(static_cast<std::size_t>(heads * tokens), kEmptyLse)};
        for (std::int64_t t = 0; t < tokens; ++t)
            for (std::int64_t h = 0; h < heads; ++h)
                fill(states, t, h, begin, end);
        return states;
    }

private:
    void fill(States& states, std::int64_t t, std::int64_t h, std::int64_t begin,
        std::int64_t end) const {
        const double* score = &scores[static_cast<std::size_t>((t * heads + h) * keys)];
        double largest = -std::numeric_limits<double>::infinity();
        for (std::int64_t s = begin; s < end; ++s)
            largest = std::max(largest, score[s]);
        if (begin == end)
            return;
        double sum = 0;
        for (std::int64_t s = begin; s < end; ++s)
            sum += std::exp(score[s] - largest);
        for (std::int64_t d = 0; d < dim; ++d) {
            double o = 0;
            for (std::int64_t s = begin; s < end; ++s)
                o += std::exp(score[s] - largest) / sum
                    * values[static_cast<std::size_t>((h * keys + s) * dim + d)];
            states.o[static_cast<std::size_t>((t * heads + h) * dim + d)] = static_cast<float>(o);
        }
        states.lse[static_cast<std::size_t>(h * tokens + t)]
            = static_cast<float>(largest + std::log(sum));
    }
};

void merge(const Problem& problem, States& into, const States& other) {
    cpu::mergeStates(into.o.data(), into.lse.data(), other.o.data(), other.lse.data(),
        problem.tokens, problem.heads, problem.dim);
}

/// A share is as uncertain as the rounding of the float32 lse it comes from.
void expectNear(const States& states, const States& expected) {
    float largest = 1;
    for (const float lse : expected.lse)
        largest = std::max(largest, std::abs(lse));
    const float tolerance = 1e-6F + 2 * std::numeric_limits<float>::epsilon() * largest;
    for (std::size_t i = 0; i < expected.o.size(); ++i)
        ASSERT_NEAR(states.o[i], expected.o[i], tolerance) << "o " << i;
    for (std::size_t i = 0; i < expected.lse.size(); ++i)
        ASSERT_NEAR(states.lse[i], expected.lse[i], tolerance) << "lse " << i;
}

TEST(MergeStates, OfTwoSetsIsAttentionOverTheirUnion) {
    for (const double spread : {0.1, 1.0, 10.0, 300.0}) // exp(300) overflows float32
        for (std::int64_t split = 0; split <= 24; ++split) {
            const Problem problem(static_cast<unsigned>(split), spread);
            States states = problem.over(0, split);
            merge(problem, states, problem.over(split, 24));
            expectNear(states, problem.over(0, 24));
        }
}

TEST(MergeStates, InTheOtherOrderGivesTheSameBytes) {
    const Problem problem(1, 3);
    States forwards = problem.over(0, 10);
    merge(problem, forwards, problem.over(10, 24));
    States backwards = problem.over(10, 24);
    merge(problem, backwards, problem.over(0, 10));
    EXPECT_EQ(forwards.o, backwards.o);
    EXPECT_EQ(forwards.lse, backwards.lse);
}

TEST(MergeStates, OfEveryKeyAloneDoesNotDrift) {
    const Problem problem(2, 5);
    States states = problem.over(0, 0);
    for (std::int64_t key = 0; key < problem.keys; ++key)
        merge(problem, states, problem.over(key, key + 1));
    expectNear(states, problem.over(0, problem.keys));
}

TEST(MergeStates, WithAnEmptyOneChangesNothingWhateverItHolds) {
    const Problem problem(3, 1);
    const States full = problem.over(0, 24);
    States empty = problem.over(0, 0);
    std::fill(empty.o.begin(), empty.o.end(), kNaN);
    States first = full;
    merge(problem, first, empty);
    EXPECT_EQ(first.o, full.o);
    EXPECT_EQ(first.lse, full.lse);
    merge(problem, empty, full);
    EXPECT_EQ(empty.o, full.o);
    EXPECT_EQ(empty.lse, full.lse);
}

TEST(MergeStates, OfTwoEmptyOnesIsEmptyAndZero) {
    const Problem problem(4, 1);
    States first = problem.over(0, 0);
    States second = first;
    std::fill(first.o.begin(), first.o.end(), kNaN);
    std::fill(second.o.begin(), second.o.end(), kInfinity);
    merge(problem, first, second);
    for (const float o : first.o)
        EXPECT_EQ(o, 0);
    for (const float lse : first.lse)
        EXPECT_EQ(lse, kEmptyLse);
}

struct Row {
    float o;
    float lse;
};

Row mergedRow(Row first, Row second) {
    cpu::mergeStates(&first.o, &first.lse, &second.o, &second.lse, 1, 1, 1);
    return first;
}

TEST(MergeStates, AtTheEndsOfFloat32) {
    const Row large = mergedRow({2, 3e38F}, {4, 3e38F});
    EXPECT_FLOAT_EQ(large.o, 3);
    EXPECT_FLOAT_EQ(large.lse, 3e38F);
    const Row small = mergedRow({2, -3e38F}, {4, -3e38F});
    EXPECT_FLOAT_EQ(small.o, 3);
    EXPECT_FLOAT_EQ(small.lse, -3e38F);
    const Row apart = mergedRow({2, -3e38F}, {4, 3e38F});
    EXPECT_EQ(apart.o, 4);
    EXPECT_EQ(apart.lse, 3e38F);
    const Row infinite = mergedRow({2, kInfinity}, {4, kInfinity});
    EXPECT_EQ(infinite.o, 3);
    EXPECT_EQ(infinite.lse, kInfinity);
    EXPECT_EQ(mergedRow({2, kInfinity}, {4, 0}).o, 2);
}

TEST(MergeStates, ANumberThatIsNoneStaysVisible) {
    EXPECT_TRUE(std::isnan(mergedRow({2, kNaN}, {4, 0}).o));
    EXPECT_TRUE(std::isnan(mergedRow({2, 0}, {4, kNaN}).lse));
    EXPECT_TRUE(std::isnan(mergedRow({2, kEmptyLse}, {4, kNaN}).lse));
    EXPECT_TRUE(std::isnan(mergedRow({kNaN, 0}, {4, 0}).o));
}

TEST(MergeStates, ReadsAndWritesInAnyLayoutAndNothingBeside) {
    const Problem problem(6, 2);
    States expected = problem.over(0, 12);
    const States second = problem.over(12, 24);
    // Into o [T, H, D + 2] with lse [T, H + 1], from o [H, T, D] with lse [T, H].
    const std::int64_t T = problem.tokens, H = problem.heads, D = problem.dim;
    constexpr float kBeside = -77;
    States into{std::vector<float>(static_cast<std::size_t>(T * H * (D + 2)), kBeside),
        std::vector<float>(static_cast<std::size_t>(T * (H + 1)), kBeside)};
    States from{second.o, second.lse};
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    for (std::int64_t t = 0; t < T; ++t)
        for (std::int64_t h = 0; h < H; ++h) {
            into.lse[at(t * (H + 1) + h)] = expected.lse[at(h * T + t)];
            from.lse[at(t * H + h)] = second.lse[at(h * T + t)];
            for (std::int64_t d = 0; d < D; ++d) {
                into.o[at((t * H + h) * (D + 2) + d)] = expected.o[at((t * H + h) * D + d)];
                from.o[at((h * T + t) * D + d)] = second.o[at((t * H + h) * D + d)];
            }
        }
    merge(problem, expected, second);
    cpu::mergeStates(StateRows<float>{into.o.data(), into.lse.data(), H * (D + 2), D + 2, H + 1, 1},
        StateRows<const float>{from.o.data(), from.lse.data(), D, T * D, H, 1}, T, H, D);
    for (std::int64_t t = 0; t < T; ++t) {
        EXPECT_EQ(into.lse[at(t * (H + 1) + H)], kBeside);
        for (std::int64_t h = 0; h < H; ++h) {
            EXPECT_EQ(into.lse[at(t * (H + 1) + h)], expected.lse[at(h * T + t)]);
            for (std::int64_t d = 0; d < D + 2; ++d)
                EXPECT_EQ(into.o[at((t * H + h) * (D + 2) + d)],
                    d < D ? expected.o[at((t * H + h) * D + d)] : kBeside);
        }
    }
}

TEST(MergeStates, RowsOfDifferentKindsDoNotMix) {
    const Problem problem(5, 2);
    States first = problem.over(0, 12);
    const States second = problem.over(12, 24);
    const States expected = problem.over(0, 24);
    first.lse[1] = kEmptyLse; // head 0, token 1
    merge(problem, first, second);
    for (std::int64_t d = 0; d < problem.dim; ++d) {
        const auto at = [&](std::int64_t t) {
            return static_cast<std::size_t>(t * problem.heads * problem.dim + d);
        };
        EXPECT_EQ(first.o[at(1)], second.o[at(1)]);
        EXPECT_NEAR(first.o[at(2)], expected.o[at(2)], 2e-6F);
    }
}

} // namespace
} // namespace maskscope::kernels
