// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lens_model.h"

#include "core/base/error.h"
#include "core/engine/model_digest.h"
#include "core/memory/scope.h"

#include <c10/core/ScalarType.h>

namespace maskscope {

namespace {

/// The words of each class as the language model reads them within a sentence.
std::vector<std::vector<std::int64_t>> tokensOfClasses(
    const Tokenizer& tokenizer, const std::vector<std::string>& classes) {
    std::vector<std::vector<std::int64_t>> tokens;
    for (const std::string& name : classes) {
        const auto ids = tokenizer.encode(" " + name, SpecialTokens::AsText);
        tokens.emplace_back(ids.begin(), ids.end());
    }
    return tokens;
}

ModelInfo describe(const std::filesystem::path& folder, const Weights& weights,
    const LensConfig& config, Precision precision) {
    ModelInfo info;
    info.family = "maskscope_lens";
    info.name = folder.filename().string();
    info.digest = digestOfModel(folder);
    info.trainingPixels = config.trainingPixels;
    info.mostPixels = config.mostPixels;
    info.knownWords = config.classes;
    for (const auto& [name, tensor] : weights.all()) {
        info.parameters += tensor.numel();
        info.parametersByPart[name.substr(0, name.find('.'))] += tensor.numel();
        info.bytesByDtype[std::string(nameOf(precision))]
            += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
    }
    return info;
}

} // namespace

Precision resolved(Precision precision) {
    return precision == Precision::Auto ? Precision::Float32 : precision;
}

at::ScalarType scalarTypeOf(Precision precision) {
    switch (precision) {
    case Precision::BFloat16:
        return at::kBFloat16;
    case Precision::Float16:
        return at::kHalf;
    case Precision::Auto:
    case Precision::Float32:
        break;
    }
    return at::kFloat;
}

LensModel LensModel::load(const std::filesystem::path& folder, Precision precision) {
    for (const char* file : {"config.json", "tokenizer.json"})
        if (!std::filesystem::exists(folder / file))
            throw Failure(ErrorKind::Model,
                folder.string() + " is not a model folder, " + file
                    + " is missing: give one with config.json, model.safetensors and "
                      "tokenizer.json.");
    const MemoryScope scope(MemoryCategory::Weights);
    const LensConfig config = readLensConfig(folder / "config.json");
    const Tokenizer tokenizer(folder / "tokenizer.json");
    if (tokenizer.idLimit() > config.language.vocabulary)
        throw Failure(ErrorKind::Model,
            (folder / "tokenizer.json").string() + " has token ids up to "
                + std::to_string(tokenizer.idLimit() - 1) + ", but config.json says vocab_size "
                + std::to_string(config.language.vocabulary) + ": they are not of one model.");
    precision = resolved(precision);
    Weights weights = Weights::fromFolder(folder, scalarTypeOf(precision));
    return {precision, PromptTemplate(tokenizer, config.language.mostPositions),
        Lens(weights, config, tokensOfClasses(tokenizer, config.classes)),
        describe(folder, weights, config, precision)};
}

} // namespace maskscope
