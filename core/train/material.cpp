// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/material.h"

#include "core/model/config.h"
#include "core/train/random_stream.h"
#include "core/train/sprite_library.h"

#include <string>
#include <utility>

namespace maskscope {
namespace {

constexpr std::uint64_t kRequestStream = 11;

std::vector<std::int64_t> widened(const std::vector<int>& ids) {
    return {ids.begin(), ids.end()};
}

} // namespace

TrainingMaterial::TrainingMaterial(
    std::shared_ptr<const SpriteLibrary> library, Tokenizer tokenizer)
    : m_library(std::move(library))
    , m_composer(m_library)
    , m_template(std::move(tokenizer), LanguageConfig().mostPositions) {
    const auto none = std::int64_t(classes().size());
    m_namedClasses.assign(static_cast<std::size_t>(this->tokenizer().idLimit()), none);
    for (std::int64_t k = 0; k < none; ++k) {
        const auto& entry = classes().at(int(k));
        for (const auto& name : {entry.singular, entry.plural, entry.korean})
            for (const std::string before : {"", " "})
                for (const int id : this->tokenizer().encode(before + name, SpecialTokens::AsText))
                    m_namedClasses[static_cast<std::size_t>(id)] = k;
    }
}

const ClassList& TrainingMaterial::classes() const {
    return m_library->classes();
}

std::vector<std::int64_t> TrainingMaterial::promptTokens(std::string_view words) const {
    return widened(m_template.prompt(/*imageFeatures=*/0, words).ids);
}

std::vector<std::vector<std::int64_t>> TrainingMaterial::classTokens() const {
    std::vector<std::vector<std::int64_t>> tokens;
    for (const auto& entry : classes().all())
        tokens.push_back(widened(tokenizer().encode(" " + entry.singular, SpecialTokens::AsText)));
    return tokens;
}

Example TrainingMaterial::example(
    SceneSet set, std::uint64_t seed, int width, int height, int requests) const {
    Example example;
    example.scene = m_composer.compose(set, seed, width, height);
    example.requests = makeRequests(example.scene, classes(), mixSeed(seed, kRequestStream),
        requests, set == SceneSet::Training ? RequestMix::Taught : RequestMix::Asked);
    for (const auto& request : example.requests) {
        RequestTokens tokens;
        tokens.prompt = promptTokens(request.text);
        tokens.answer = widened(tokenizer().encode(request.answer, SpecialTokens::AsTokens));
        tokens.answer.push_back(control().end);
        example.tokens.push_back(std::move(tokens));
    }
    return example;
}

} // namespace maskscope
