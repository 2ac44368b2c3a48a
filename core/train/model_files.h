// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/model/weights.h"
#include "core/train/material.h"

#include <filesystem>

namespace maskscope {

/// Numbers of a model for these classes and this tokenizer.
LensConfig lensConfigFor(const TrainingMaterial& material);

/// Makes a folder that the program loads: model.safetensors (float16), config.json, tokenizer.json
/// and classes.json. The folder appears whole; one of the same name is replaced, and files in it
/// that training does not write (the model card, pictures) are kept. Throws Failure(Input).
void writeModelFolder(const std::filesystem::path& folder, const Weights& weights,
    const LensConfig& config, const std::filesystem::path& tokenizer,
    const std::filesystem::path& classes);

} // namespace maskscope
