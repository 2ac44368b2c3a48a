// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/kv_cache.h"
#include "core/base/error.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

KvCache cacheFor(std::int64_t capacity) {
    return KvCache(2, 3, capacity, 4, at::TensorOptions(at::kFloat));
}

at::Tensor tokens(std::int64_t count, double first) {
    return (at::arange(count) + first)
        .view({1, 1, count, 1})
        .expand({2, 3, count, 4})
        .to(at::kFloat);
}

} // namespace

TEST(KvCache, KeepsTokensInOrderInTheSameBuffer) {
    auto cache = cacheFor(5);
    cache.append(tokens(3, 0), tokens(3, 10));
    const auto* buffer = cache.keys().const_data_ptr();
    cache.append(tokens(1, 3), tokens(1, 13));
    EXPECT_EQ(cache.length(), 4);
    EXPECT_TRUE(at::equal(cache.keys(), tokens(4, 0)));
    EXPECT_TRUE(at::equal(cache.values(), tokens(4, 10)));
    EXPECT_EQ(cache.keys().const_data_ptr(), buffer);
    EXPECT_EQ(cache.bytes(), 2 * 2 * 3 * 5 * 4 * 4);
}

TEST(KvCache, RefusesMoreThanItsCapacityAndStaysAsItWas) {
    auto cache = cacheFor(4);
    cache.append(tokens(3, 0), tokens(3, 0));
    EXPECT_THROW(cache.append(tokens(2, 3), tokens(2, 3)), Failure);
    EXPECT_EQ(cache.length(), 3);
}

TEST(KvCache, GoesBackToAnEarlierToken) {
    auto cache = cacheFor(4);
    cache.append(tokens(4, 0), tokens(4, 0));
    cache.truncate(2);
    cache.append(tokens(1, 7), tokens(1, 7));
    EXPECT_EQ(cache.keys().select(2, 2).max().item<float>(), 7);
    EXPECT_EQ(cache.length(), 3);
    EXPECT_THROW(cache.truncate(4), Failure);
    EXPECT_THROW(cache.truncate(-1), Failure);
}

TEST(SequenceState, SnapshotsAreIndependent) {
    std::vector<std::unique_ptr<LayerState>> layers;
    layers.push_back(std::make_unique<KvCache>(cacheFor(4)));
    SequenceState state(std::move(layers));
    auto& cache = dynamic_cast<KvCache&>(state.layer(0));
    cache.append(tokens(2, 0), tokens(2, 0));
    auto earlier = state.snapshot();
    cache.truncate(0);
    cache.append(tokens(3, 5), tokens(3, 5));
    EXPECT_EQ(state.length(), 3);
    EXPECT_EQ(earlier.length(), 2);
    EXPECT_TRUE(at::equal(dynamic_cast<KvCache&>(earlier.layer(0)).keys(), tokens(2, 0)));
}

} // namespace maskscope
