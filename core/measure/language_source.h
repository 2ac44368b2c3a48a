// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/config.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <variant>

namespace maskscope {

/// Whose time is measured: a model folder's language model, or a shape with drawn weights.
using LanguageSource = std::variant<std::filesystem::path, LanguageConfig>;

/// Shapes of published language models, by nanoVLM's names: "nanovlm-222m" has SmolLM2-135M,
/// "nanovlm-450m" SmolLM2-360M.
std::optional<LanguageConfig> publishedLanguage(std::string_view name);

} // namespace maskscope
