// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/lens_model.h"
#include "core/measure/language_source.h"
#include "core/model/language_model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace maskscope {

/// A language model with what it needs to live.
class LanguageSubject {
public:
    /// Throws Failure: a model that cannot be loaded, a shape whose weights do not fit.
    LanguageSubject(const LanguageSource& source, Precision precision);

    const LanguageModel& language() const { return *m_language; }

private:
    std::unique_ptr<LensModel> m_lens;
    std::unique_ptr<LanguageModel> m_drawn;
    const LanguageModel* m_language = nullptr;
};

/// Embeddings [1, count, C] of `count` tokens behind `begin`; which they are makes no difference to
/// their cost.
at::Tensor tokensFor(const LanguageModel& model, std::int64_t begin, std::int64_t count);

} // namespace maskscope
