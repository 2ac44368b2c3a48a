// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/lens_model.h"
#include "core/measure/language_source.h"
#include "core/memory/budget.h"
#include "core/model/language_model.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace maskscope {

/// A language model to be measured in this process, with what it needs to live and a limit on the
/// memory that measuring takes.
class LanguageSubject {
public:
    /// `threads` are the process's from now on; 0 = as the machine has. Throws Failure: a model
    /// that cannot be loaded, a shape whose weights do not fit.
    LanguageSubject(const LanguageSource& source, Precision precision, int threads);

    const LanguageModel& language() const { return *m_language; }
    const MemoryBudget& budget() const { return *m_budget; }

private:
    void load(const LanguageSource& source, Precision precision);

    std::unique_ptr<LensModel> m_lens;
    std::unique_ptr<LanguageModel> m_drawn;
    const LanguageModel* m_language = nullptr;
    std::optional<MemoryBudget> m_budget; ///< from the constructor's end on
};

/// Embeddings [1, count, C] of `count` tokens behind `begin`; which they are makes no difference to
/// their cost.
at::Tensor tokensFor(const LanguageModel& model, std::int64_t begin, std::int64_t count);

} // namespace maskscope
