// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/language_session.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

namespace maskscope {

namespace {

class CachedSession final : public LanguageSession {
public:
    CachedSession(const LanguageModel& model, std::int64_t capacity)
        : m_model(model)
        , m_capacity(capacity)
        , m_state(model.newState(1, capacity)) { }

    at::Tensor feed(const at::Tensor& embeddings, const std::stop_token& stop) override {
        return m_model.extend(m_state, embeddings, stop).select(1, -1).select(0, 0);
    }

    void truncate(std::int64_t length) override { m_state.truncate(length); }
    std::int64_t length() const override { return m_state.length(); }
    std::int64_t capacity() const override { return m_capacity; }

private:
    const LanguageModel& m_model;
    std::int64_t m_capacity;
    SequenceState m_state;
};

class UncachedSession final : public LanguageSession {
public:
    UncachedSession(const LanguageModel& model, std::int64_t capacity)
        : m_model(model)
        , m_capacity(capacity) { }

    at::Tensor feed(const at::Tensor& embeddings, const std::stop_token& stop) override {
        const at::Tensor all
            = m_fed.defined() ? at::cat({m_fed, embeddings}, 1) : embeddings; // [1, S, C]
        const at::Tensor positions = at::arange(all.size(1), all.options().dtype(at::kLong));
        const at::Tensor hidden = m_model.forward(all, positions, {}, stop); // [1, S, C]
        m_fed = all;
        return hidden.select(1, -1).select(0, 0);
    }

    void truncate(std::int64_t length) override {
        if (length < this->length())
            m_fed = length > 0 ? m_fed.narrow(1, 0, length) : at::Tensor();
    }
    std::int64_t length() const override { return m_fed.defined() ? m_fed.size(1) : 0; }
    std::int64_t capacity() const override { return m_capacity; }

private:
    const LanguageModel& m_model;
    std::int64_t m_capacity;
    at::Tensor m_fed; ///< [1, S, C]
};

} // namespace

std::unique_ptr<LanguageSession> cachedSession(const LanguageModel& model, std::int64_t capacity) {
    return std::make_unique<CachedSession>(model, capacity);
}

std::unique_ptr<LanguageSession> uncachedSession(
    const LanguageModel& model, std::int64_t capacity) {
    return std::make_unique<UncachedSession>(model, capacity);
}

} // namespace maskscope
