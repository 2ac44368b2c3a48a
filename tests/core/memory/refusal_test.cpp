// SPDX-License-Identifier: GPL-3.0-or-later
// What happens when allocation n is refused, for every n: each job must end as out of memory, give
// everything back, and leave the next one as right and as fast as if nothing had been.
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/ledger.h"
#include "core/memory/prepare.h"

#include <gtest/gtest.h>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_native_multi_head_attention.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rms_norm.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace maskscope {
namespace {

enum class Refuse { Never, Once, ForEver };

/// The system's allocator, which refuses allocation number `first`, or it and all that follow.
class RefusingAllocator final : public c10::Allocator {
public:
    Refuse mode = Refuse::Never;
    int first = 0;
    int asked = 0;
    int refused = 0;

    void arm(Refuse newMode, int newFirst) {
        mode = newMode;
        first = newFirst;
        asked = refused = 0;
    }

    c10::DataPtr allocate(std::size_t size) override {
        ++asked;
        if ((mode == Refuse::Once && asked == first)
            || (mode == Refuse::ForEver && asked >= first)) {
            ++refused;
            TORCH_CHECK(false, "can't allocate memory");
        }
        return m_base.allocate(size);
    }
    c10::DeleterFnPtr raw_deleter() const override { return m_base.raw_deleter(); }
    void copy_data(void* to, const void* from, std::size_t bytes) const override {
        m_base.copy_data(to, from, bytes);
    }

private:
    c10::Allocator& m_base = *c10::GetDefaultCPUAllocator();
};

RefusingAllocator& systemAllocator() {
    static RefusingAllocator& allocator = *new RefusingAllocator;
    return allocator;
}

/// A vision model's kinds of layer, small.
struct Layers {
    static constexpr std::int64_t kPatches = 256;
    static constexpr std::int64_t kWidth = 128;
    static constexpr std::int64_t kHeads = 4;

    at::Tensor image; // [1, 3, 64, 64]
    at::Tensor patch; // [C, 3, 4, 4]
    at::Tensor norm; // [C]
    at::Tensor qkv; // [3C, C]
    at::Tensor projection; // [C, C]
    at::Tensor bias; // [3C]
    at::Tensor mask; // [1, P]

    explicit Layers(at::ScalarType dtype) {
        const auto options = at::TensorOptions().dtype(dtype);
        const auto some
            = [&](at::IntArrayRef shape) { return at::randn(shape).mul_(0.1).to(options); };
        image = some({1, 3, 64, 64});
        patch = some({kWidth, 3, 4, 4});
        norm = at::ones({kWidth}, options);
        qkv = some({3 * kWidth, kWidth});
        projection = some({kWidth, kWidth});
        bias = some({3 * kWidth});
        mask = at::zeros({1, kPatches}, at::kBool);
        mask.slice(1, kPatches - 40).fill_(true);
    }

    at::Tensor embed() const { // [1, P, C]
        return at::conv2d(image, patch, {}, 4).flatten(2).transpose(1, 2).contiguous();
    }
    at::Tensor normalise(const at::Tensor& x) const { return at::rms_norm(x, {kWidth}, norm); }
    at::Tensor mha(const at::Tensor& x) const {
        return std::get<0>(at::_native_multi_head_attention(x, x, x, kWidth, kHeads, qkv, bias,
            projection, bias.slice(0, 0, kWidth), mask, false, true, 1));
    }
    at::Tensor sdpa(const at::Tensor& x) const {
        const auto heads = at::linear(x, qkv, bias)
                               .view({1, kPatches, 3, kHeads, kWidth / kHeads})
                               .permute({2, 0, 3, 1, 4});
        const auto attended = at::scaled_dot_product_attention(heads[0], heads[1], heads[2]);
        return at::linear(attended.transpose(1, 2).reshape({1, kPatches, kWidth}), projection);
    }

    /// The job: `check` is called after each layer, as the engine does.
    at::Tensor run(const std::function<void()>& check) const {
        at::Tensor x = embed();
        check();
        x = normalise(x);
        check();
        x = mha(x);
        check();
        x = sdpa(x);
        check();
        return x;
    }
};

struct RefusalTest : testing::TestWithParam<at::ScalarType> {
    static void SetUpTestSuite() {
        c10::SetCPUAllocator(&systemAllocator(), 0);
        installCountingAllocator();
    }
    void TearDown() override { systemAllocator().arm(Refuse::Never, 0); }

    c10::InferenceMode inference;
    MemoryLedger& ledger = cpuLedger();
    std::vector<std::string> warnings;

    /// Runs a job under a budget; the error it ended with, or its result in `result`.
    std::optional<Error> job(
        const Layers& layers, std::optional<std::int64_t> limit, at::Tensor* result = nullptr) {
        prepareRequest([this](std::string_view text) { warnings.emplace_back(text); });
        const MemoryBudget budget(ledger, limit);
        std::optional<Error> error;
        try {
            const at::Tensor x = layers.run([&] { budget.check(); });
            budget.check();
            if (result)
                *result = x;
        } catch (...) {
            error = budget.errorOf(std::current_exception());
        }
        return error;
    }

    void expectNextJobIsRight(const Layers& layers, const at::Tensor& expected) {
        systemAllocator().arm(Refuse::Never, 0);
        at::Tensor result;
        const auto error = job(layers, std::nullopt, &result);
        ASSERT_FALSE(error) << error->sentence;
        EXPECT_TRUE(result.equal(expected));
        EXPECT_TRUE(at::globalContext().userEnabledMkldnn());
    }
};

TEST_P(RefusalTest, OfEveryAllocationOnceAndForEver) {
    const Layers layers(GetParam());
    at::Tensor expected;
    ASSERT_FALSE(job(layers, std::nullopt)); // caches of libraries are made
    systemAllocator().arm(Refuse::Never, 0);
    ASSERT_FALSE(job(layers, std::nullopt, &expected));
    const int allocations = systemAllocator().asked;
    ASSERT_GT(allocations, 20);
    const std::int64_t start = ledger.live();

    for (const Refuse mode : {Refuse::Once, Refuse::ForEver})
        for (int n = 1; n <= allocations; ++n) {
            systemAllocator().arm(mode, n);
            const auto error = job(layers, std::nullopt);
            ASSERT_GE(systemAllocator().refused, 1) << n;
            ASSERT_TRUE(error) << n;
            EXPECT_EQ(error->kind, ErrorKind::Memory) << n << ": " << error->sentence;
            EXPECT_EQ(ledger.live(), start) << n;
            expectNextJobIsRight(layers, expected);
        }
}

TEST_P(RefusalTest, ByEveryLimitBetweenNothingAndEnough) {
    const Layers layers(GetParam());
    at::Tensor expected;
    ASSERT_FALSE(job(layers, std::nullopt, &expected));
    const std::int64_t start = ledger.live();
    PeakWindow window(ledger);
    ASSERT_FALSE(job(layers, std::nullopt));
    const std::int64_t extra = window.peak() - start;

    EXPECT_FALSE(job(layers, start + extra)) << "the peak itself must fit";
    for (std::int64_t part = 0; part < 40; ++part) {
        const auto error = job(layers, start + extra * part / 40);
        ASSERT_TRUE(error) << part;
        EXPECT_EQ(error->kind, ErrorKind::Memory) << error->sentence;
        EXPECT_EQ(ledger.live(), start) << part;
    }
    ASSERT_TRUE(job(layers, start + extra - 1)) << "one byte less must not";
    expectNextJobIsRight(layers, expected);
}

INSTANTIATE_TEST_SUITE_P(Dtypes, RefusalTest, testing::Values(at::kFloat, at::kBFloat16),
    [](const auto& dtype) { return dtype.param == at::kFloat ? "fp32" : "bf16"; });

TEST_F(RefusalTest, ByTheSystemIsNotedAndCountsNothing) {
    const std::int64_t start = ledger.live();
    const MemoryBudget budget(ledger, std::nullopt);
    systemAllocator().arm(Refuse::Once, 1);
    EXPECT_THROW(at::zeros({1000}), c10::Error);
    EXPECT_EQ(ledger.live(), start);
    ASSERT_TRUE(ledger.refusal());
    EXPECT_EQ(ledger.refusal()->asked, 4000);
    EXPECT_FALSE(ledger.refusal()->limit);
}

double fastestMs(const std::function<void()>& work, int times) {
    double best = 1e9;
    for (int i = 0; i < times; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(best,
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
    }
    return best;
}

// LibTorch catches the allocator's exception inside bfloat16 products, warns, and switches oneDNN
// off for the whole process, which makes them tens of times slower.
TEST_F(RefusalTest, ASwallowedRefusalNeitherPassesNorSlowsTheNextJob) {
    const Layers layers(at::kBFloat16);
    const auto x = at::randn({2048, 512}).to(at::kBFloat16);
    const auto weight = at::randn({512, 512}).to(at::kBFloat16);
    const auto product = [&] { at::linear(x, weight); };
    ASSERT_FALSE(job(layers, std::nullopt));
    at::globalContext().setUserEnabledMkldnn(false);
    const double slow = fastestMs(product, 2);
    prepareRequest({});
    const double normal = fastestMs(product, 20);

    int swallowed = 0;
    systemAllocator().arm(Refuse::Never, 0);
    ASSERT_FALSE(job(layers, std::nullopt));
    const int allocations = systemAllocator().asked;
    for (int n = 1; n <= allocations; ++n) {
        systemAllocator().arm(Refuse::Once, n);
        ASSERT_TRUE(job(layers, std::nullopt)) << n;
        if (!at::globalContext().userEnabledMkldnn()) {
            ++swallowed;
            ASSERT_FALSE(warnings.empty());
        }
        systemAllocator().arm(Refuse::Never, 0);
        prepareRequest({});
        ASSERT_TRUE(at::globalContext().userEnabledMkldnn());
    }
    const double after = fastestMs(product, 20);
    if (slow > 4 * normal) { // not where the processor has no fast bfloat16 products
        EXPECT_GE(swallowed, 1);
        EXPECT_LT(after, slow / 2) << "normal is " << normal;
    }
}

} // namespace
} // namespace maskscope
