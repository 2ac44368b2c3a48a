// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/language_model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <stop_token>

namespace maskscope {

/// One growing sequence over a language model, a token at a time. Batch 1.
class LanguageSession {
public:
    virtual ~LanguageSession() = default;

    /// Feeds the next T tokens. Gives the last one's hidden state [C] after the final norm.
    virtual at::Tensor feed(const at::Tensor& embeddings /*[1, T, C]*/, const std::stop_token& stop)
        = 0;

    /// Forgets all tokens from `length` on, so that what comes before is not read again.
    virtual void truncate(std::int64_t length) = 0;

    virtual std::int64_t length() const = 0; ///< tokens fed
    virtual std::int64_t capacity() const = 0; ///< most tokens it can hold
};

/// Keys and values of the tokens before are kept, in buffers taken once for `capacity` tokens. The
/// model must outlive the session.
std::unique_ptr<LanguageSession> cachedSession(const LanguageModel& model, std::int64_t capacity);

/// Everything is computed anew for every token: what a cache saves, for comparison. Equal states up
/// to rounding.
std::unique_ptr<LanguageSession> uncachedSession(const LanguageModel& model, std::int64_t capacity);

} // namespace maskscope
