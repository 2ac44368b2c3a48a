// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/prompt.h"
#include "core/train/class_list.h"
#include "core/train/example.h"
#include "core/train/scene_composer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

class SpriteLibrary;

/// Everything examples are made of. Immutable: any thread may make examples.
class TrainingMaterial {
public:
    /// Throws Failure(Model) when the tokenizer lacks a control token.
    TrainingMaterial(std::shared_ptr<const SpriteLibrary> library, Tokenizer tokenizer);

    /// A picture and `requests` requests about it; the same for the same arguments.
    Example example(SceneSet set, std::uint64_t seed, int width, int height, int requests) const;

    const ClassList& classes() const;
    const Tokenizer& tokenizer() const { return m_template.tokenizer(); }
    const ControlIds& control() const { return m_template.controls(); }

    /// Tokens of " " + word for every named class, as the model's constructor wants them.
    std::vector<std::vector<std::int64_t>> classTokens() const;

    /// For every token of the vocabulary the class it is a part of a name of, in any number and
    /// language; the number of named classes for tokens of none. [V]
    const std::vector<std::int64_t>& namedClasses() const { return m_namedClasses; }

    /// <|user|> words <|assistant|>, as a run lays them out behind the image.
    std::vector<std::int64_t> promptTokens(std::string_view words) const;

private:
    std::shared_ptr<const SpriteLibrary> m_library;
    SceneComposer m_composer;
    PromptTemplate m_template;
    std::vector<std::int64_t> m_namedClasses;
};

} // namespace maskscope
