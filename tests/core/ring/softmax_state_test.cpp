// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/softmax_state.h"

#include "core/attention/chunk_kernel.h"
#include "core/base/error.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <limits>

namespace maskscope {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Queries of 3 heads and the keys of some chunks.
struct Chunks {
    at::Generator numbers = at::detail::createCPUGenerator(5);
    at::Tensor q = at::randn({1, 3, 37, 16}, numbers);
    at::Tensor k = at::randn({1, 3, 50, 16}, numbers) * 3;
    at::Tensor v = at::randn({1, 3, 50, 16}, numbers);

    Attended over(std::int64_t begin, std::int64_t end, const at::Tensor& mask = {}) const {
        return attendWithLse(q, k.slice(2, begin, end), v.slice(2, begin, end), mask);
    }
    at::Tensor exact() const { // [T, H, D]
        return at::softmax(at::matmul(q.to(at::kDouble), k.to(at::kDouble).transpose(2, 3)) / 4, -1)
            .matmul(v.to(at::kDouble))[0]
            .transpose(0, 1);
    }
    at::Tensor room() const { return at::full({37, 3, 16}, kInfinity); } // nobody reads it
};

/// A state in float32, where a chunk is merged the same whether it is the last or not.
class State {
public:
    explicit State(const at::Tensor& out)
        : m_out(out)
        , m_state(out, 2) { }
    void merge(const Attended& part, std::int64_t begin) {
        m_state.merge(part, begin, ChunkPlace::Inner);
    }
    const at::Tensor& o() const { return m_out; }
    const at::Tensor& lse() const { return m_state.lse(); }

private:
    at::Tensor m_out;
    SoftmaxState m_state;
};

struct SoftmaxStateTest : testing::Test {
    SoftmaxStateTest() { at::manual_seed(5); }
    c10::NoGradGuard inference;
    Chunks chunks;
};

TEST_F(SoftmaxStateTest, OverChunksIsAttentionOverAll) {
    for (const auto& bounds : {std::vector<std::int64_t>{0, 50}, {0, 1, 50}, {0, 25, 50},
             {0, 7, 7, 30, 49, 50}, {0, 0, 50, 50}}) {
        State state(chunks.room());
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
            state.merge(chunks.over(bounds[i], bounds[i + 1]), 0);
        EXPECT_LE(test::difference(state.o(), chunks.exact().to(at::kFloat)), 2e-6);
        EXPECT_LE(test::difference(state.lse(), chunks.over(0, 50).lse[0]), 2e-6);
    }
}

TEST_F(SoftmaxStateTest, InBothOrdersHasTheSameBytes) {
    State forwards(chunks.room()), backwards(chunks.room());
    for (const auto& [begin, end] : {std::pair{0, 20}, {20, 50}})
        forwards.merge(chunks.over(begin, end), 0);
    for (const auto& [begin, end] : {std::pair{20, 50}, {0, 20}})
        backwards.merge(chunks.over(begin, end), 0);
    EXPECT_TRUE(at::equal(forwards.o(), backwards.o()));
    EXPECT_TRUE(at::equal(forwards.lse(), backwards.lse()));
}

TEST_F(SoftmaxStateTest, TakesRowsApartAndLeavesTheOthers) {
    State state(at::full({40, 3, 16}, 7.0));
    const Attended part = chunks.over(0, 50);
    for (const auto& [row, some] : {std::pair{0, 10}, {10, 27}})
        state.merge({part.out.narrow(2, row, some), part.lse.narrow(2, row, some)}, row);
    EXPECT_LE(test::difference(state.o().narrow(0, 0, 37), chunks.exact().to(at::kFloat)), 2e-6);
    EXPECT_TRUE(at::equal(state.o().narrow(0, 37, 3), at::full({3, 3, 16}, 7.0)));
    EXPECT_TRUE(state.lse().narrow(1, 37, 3).isneginf().all().item<bool>());
}

TEST_F(SoftmaxStateTest, WritesIntoColumnsOfATensor) {
    const auto whole = at::zeros({37, 5 * 16});
    State state(whole.narrow(1, 16, 48).view({37, 3, 16}));
    state.merge(chunks.over(0, 50), 0);
    EXPECT_LE(
        test::difference(whole.narrow(1, 16, 48), chunks.exact().to(at::kFloat).reshape({37, 48})),
        2e-6);
    EXPECT_EQ(whole.narrow(1, 0, 16).abs().max().item<double>(), 0);
    EXPECT_EQ(whole.narrow(1, 64, 16).abs().max().item<double>(), 0);
}

TEST_F(SoftmaxStateTest, OfMaskedChunksIsThatOfTheRest) {
    const auto hidden = at::full({1, 1, 1, 20}, -kInfinity);
    for (const bool maskedFirst : {true, false}) {
        State state(chunks.room());
        if (maskedFirst)
            state.merge(chunks.over(0, 20, hidden), 0);
        state.merge(chunks.over(20, 50), 0);
        if (!maskedFirst)
            state.merge(chunks.over(0, 20, hidden), 0);
        EXPECT_TRUE(at::equal(state.o(), chunks.over(20, 50).out[0].transpose(0, 1)));
        EXPECT_TRUE(at::equal(state.lse(), chunks.over(20, 50).lse[0]));
    }
    State nothing(chunks.room());
    nothing.merge(chunks.over(0, 20, hidden), 0);
    nothing.merge(chunks.over(7, 7), 0);
    EXPECT_EQ(nothing.o().abs().max().item<double>(), 0);
    EXPECT_TRUE(nothing.lse().isneginf().all().item<bool>());
}

TEST_F(SoftmaxStateTest, SurvivesScoresThatOverflowTheirExponential) {
    chunks.k *= 300;
    State state(chunks.room());
    state.merge(chunks.over(0, 20), 0);
    state.merge(chunks.over(20, 50), 0);
    EXPECT_TRUE(state.o().isfinite().all().item<bool>());
    EXPECT_LE(test::difference(state.o(), chunks.over(0, 50).out[0].transpose(0, 1)), 1e-3);
}

TEST_F(SoftmaxStateTest, MergesHalfPrecisionInFloat32AndRoundsOnce) {
    const auto hidden = at::full({1, 1, 1, 20}, -kInfinity);
    for (const auto type : {at::kBFloat16, at::kHalf})
        for (const auto& bounds : {std::vector<std::int64_t>{0, 50}, {0, 20, 50}, {0, 20, 35, 50}})
            for (const bool masked : {false, true}) {
                const int parts = int(bounds.size()) - 1;
                State exact(chunks.room());
                const auto out = chunks.room().to(type);
                SoftmaxState halves(out, parts);
                for (int i = 0; i < parts; ++i) {
                    const auto begin = bounds[std::size_t(i)], end = bounds[std::size_t(i) + 1];
                    Attended part
                        = chunks.over(begin, end, masked && end == 20 ? hidden : at::Tensor());
                    part.out = part.out.to(type);
                    const auto place = i + 1 < parts ? ChunkPlace::Inner : ChunkPlace::Last;
                    for (const auto& [row, some] : {std::pair{0, 30}, {30, 7}})
                        halves.merge({part.out.narrow(2, row, some), part.lse.narrow(2, row, some)},
                            row, place);
                    part.out = part.out.to(at::kFloat);
                    exact.merge(part, 0);
                }
                EXPECT_TRUE(at::equal(out, exact.o().to(type))) << type << ' ' << parts;
            }
}

TEST_F(SoftmaxStateTest, RoundsToBfloat16AsLibTorchDoes) {
    // Also numbers halfway between two, overflow to infinity, and NaN.
    const auto numbers = at::cat({at::randn({1000}), at::arange(1, 2, 1.0 / 1024),
        at::tensor({3.4e38F, -3.4e38F, 1e-40F, -0.0F, std::numeric_limits<float>::quiet_NaN()})});
    const auto T = numbers.size(0);
    const auto out = at::empty({T, 1, 1}, at::kBFloat16);
    SoftmaxState state(out, 2);
    // Two equal shares: (x + x) / 2, where the first is in float32 only by a merge of halves.
    const auto half = numbers.to(at::kBFloat16).view({1, 1, T, 1});
    const auto lse = at::zeros({1, 1, T});
    state.merge({half, lse}, 0, ChunkPlace::Inner);
    state.merge({half.roll(1, 2), lse}, 0, ChunkPlace::Last);
    const auto expected
        = (0.5F * half.to(at::kFloat) + 0.5F * half.roll(1, 2).to(at::kFloat)).to(at::kBFloat16);
    EXPECT_TRUE(at::allclose(out.view({-1}), expected.view({-1}), 0, 0, true));
}

TEST(ChunkChoice, TakesAKernelThatReturnsTheLse) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf}) {
        const ChunkChoice choice = chunkChoice(chunkKernels(), type);
        EXPECT_TRUE(choice.kernel->returnsLse);
        EXPECT_EQ(choice.type, type);
        EXPECT_EQ(choice.reason, "");
    }
}

TEST(ChunkChoice, GoesToBfloat16WhereAPrecisionHasNoLse) {
    constexpr auto isFp8 = [](at::ScalarType type) { return type == at::kFloat8_e4m3fn; };
    constexpr auto isBf16 = [](at::ScalarType type) { return type == at::kBFloat16; };
    const ChunkKernel fast{"fast", false, isFp8, nullptr}, full{"full", true, isBf16, nullptr};
    const std::array kernels{fast, full};
    const ChunkChoice choice = chunkChoice(kernels, at::kFloat8_e4m3fn);
    EXPECT_EQ(choice.kernel, &kernels[1]);
    EXPECT_EQ(choice.type, at::kBFloat16);
    EXPECT_NE(choice.reason.find("so the ring computes in bf16"), std::string::npos);
    EXPECT_THROW(chunkChoice(std::span(kernels).first(1), at::kFloat8_e4m3fn), Failure);
}

} // namespace
} // namespace maskscope
