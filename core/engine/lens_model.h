// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/model/lens.h"
#include "core/text/prompt.h"

#include <ATen/core/Tensor.h>

#include <filesystem>

namespace maskscope {

/// A maskscope_lens folder in memory: weights, tokenizer, and what they agree on. Neither movable
/// nor copyable.
struct LensModel {
    /// Throws Failure(Model) that names the file and the part of it.
    static LensModel load(const std::filesystem::path& folder, Precision precision);

    Precision precision = Precision::Float32; ///< never Auto
    PromptTemplate prompts;
    Lens lens;
    ModelInfo info;
    at::Tensor tokenClasses = lens.tokenClasses();
};

/// What Auto is for this family on a CPU: float32, in which the shipped model is fastest.
Precision resolved(Precision precision);

at::ScalarType scalarTypeOf(Precision precision);

} // namespace maskscope
