// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/kv_cache.h"

#include "core/base/error.h"
#include "core/base/shape.h"

#include <ATen/ops/empty.h>

namespace maskscope {

KvCache::KvCache(std::int64_t batch, std::int64_t kvHeads, std::int64_t capacity,
    std::int64_t headDim, const at::TensorOptions& options)
    : m_keys(at::empty({batch, kvHeads, capacity, headDim}, options))
    , m_values(at::empty({batch, kvHeads, capacity, headDim}, options)) { }

std::int64_t KvCache::capacity() const {
    return m_keys.size(2);
}

std::int64_t KvCache::bytes() const {
    return std::int64_t(m_keys.nbytes() + m_values.nbytes());
}

void KvCache::truncate(std::int64_t length) {
    if (length < 0 || length > m_length)
        throw Failure(ErrorKind::Internal,
            "A KV cache of " + std::to_string(m_length) + " tokens cannot be truncated to "
                + std::to_string(length) + ".");
    m_length = length;
}

std::unique_ptr<LayerState> KvCache::snapshot() const {
    auto copy = std::make_unique<KvCache>(*this);
    copy->m_keys = m_keys.clone();
    copy->m_values = m_values.clone();
    return copy;
}

void KvCache::append(const at::Tensor& k, const at::Tensor& v) {
    const auto added = k.size(2);
    expectShape(k, {m_keys.size(0), m_keys.size(1), kAny, m_keys.size(3)}, "k");
    expectShape(v, {m_keys.size(0), m_keys.size(1), added, m_keys.size(3)}, "v");
    if (m_length + added > capacity())
        throw Failure(ErrorKind::Internal,
            "A KV cache for " + std::to_string(capacity()) + " tokens cannot take "
                + std::to_string(added) + " more behind " + std::to_string(m_length) + ".");
    m_keys.narrow(2, m_length, added).copy_(k);
    m_values.narrow(2, m_length, added).copy_(v);
    m_length += added;
}

at::Tensor KvCache::keys() const {
    return m_keys.narrow(2, 0, m_length);
}
at::Tensor KvCache::values() const {
    return m_values.narrow(2, 0, m_length);
}

SequenceState::SequenceState(std::vector<std::unique_ptr<LayerState>> layers)
    : m_layers(std::move(layers)) { }

std::int64_t SequenceState::length() const {
    return m_layers.empty() ? 0 : m_layers.front()->length();
}

std::int64_t SequenceState::bytes() const {
    std::int64_t sum = 0;
    for (const auto& layer : m_layers)
        sum += layer->bytes();
    return sum;
}

void SequenceState::truncate(std::int64_t length) {
    for (const auto& layer : m_layers)
        layer->truncate(length);
}

SequenceState SequenceState::snapshot() const {
    std::vector<std::unique_ptr<LayerState>> copies;
    for (const auto& layer : m_layers)
        copies.push_back(layer->snapshot());
    return SequenceState(std::move(copies));
}

} // namespace maskscope
