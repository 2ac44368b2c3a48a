// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/lens.h"

#include "core/base/error.h"
#include "core/mask/per_query.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/pixel_unshuffle.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

/// Mean of the normalised pixels of each patch: [B, P, 3].
at::Tensor patchColours(const at::Tensor& pixels /*[B, 48, 4gh, 4gw]*/) {
    const auto means = at::avg_pool2d(pixels, 4).flatten(2); // [B, 48, P]
    return means.view({means.size(0), 3, 16, -1}).mean({2}).transpose(1, 2);
}

} // namespace

Lens::Lens(Weights& weights, LensConfig config, std::vector<std::vector<std::int64_t>> classTokens)
    : m_config(std::move(config))
    , m_encoder(weights)
    , m_embedder(weights, m_config)
    , m_finder(weights, m_config)
    , m_namer(weights, m_config)
    , m_language(weights, m_config.language, "language.")
    , m_decoder(weights, m_config)
    , m_shuffle(weights, "projector.image", 4 * m_config.vision.width, m_config.language.width)
    , m_scene(weights, m_config)
    , m_asked(weights, m_config)
    , m_evidence(weights, m_config)
    , m_pointer(weights, m_config) {
    weights.finish();
    if (classTokens.size() != m_config.classes.size())
        throw Failure(ErrorKind::Internal, "Every class of the model needs its words' tokens.");
    std::size_t most = 1;
    for (const auto& tokens : classTokens)
        most = std::max(most, tokens.size());
    const auto K = std::int64_t(classTokens.size());
    m_classTokens = at::zeros({K, std::int64_t(most)}, at::kLong);
    m_classShares = at::zeros({K, std::int64_t(most)}, m_language.embedding().options());
    for (std::size_t k = 0; k < classTokens.size(); ++k)
        for (std::size_t i = 0; i < classTokens[k].size(); ++i) {
            m_classTokens[std::int64_t(k)][std::int64_t(i)] = classTokens[k][i];
            m_classShares[std::int64_t(k)][std::int64_t(i)] = 1.0 / double(classTokens[k].size());
        }
}

Lens::~Lens() = default;

VisionFeatures Lens::encode(const at::Tensor& pixels, const std::stop_token& stop) const {
    return m_encoder.forward(pixels, stop);
}

at::Tensor Lens::wordEmbeddings() const {
    // Embeddings are small (the output head is tied to them); patches have unit scale.
    const double scale = std::sqrt(double(m_config.language.width));
    const auto words
        = (m_language.embed(m_classTokens) * m_classShares.unsqueeze(-1)).sum({1}) * scale;
    return at::constant_pad_nd(words, {0, 0, 0, 2});
}

ImageFeatures Lens::describe(const VisionFeatures& features, const std::stop_token& stop) const {
    const auto embedded = m_embedder.forward(features, stop);
    const auto probabilities = at::softmax(embedded.classLogits, -1);
    const auto words = wordEmbeddings();
    const auto gh = features.gridHeight, gw = features.gridWidth;
    ImageFeatures image;
    image.softClass = at::matmul(probabilities, words); // [B, P, C]
    image.objectMaps = m_finder.maps(features, embedded.patches);
    image.found = findObjects(image.objectMaps, probabilities, gh, gw);
    image.found.classes = m_namer(image.found, features, embedded.patches, m_embedder);
    image.facts = m_scene.facts(probabilities, image.found, gh, gw);
    image.objectTokens
        = m_scene.objects(image.found, embedded.patches, patchColours(features.pixels), words);
    image.tokens = at::cat({imageTokens(embedded.patches + image.softClass, gh, gw),
                               m_scene.scene(probabilities), image.objectTokens},
        1);
    image.patches = embedded.patches;
    image.classLogits = embedded.classLogits;
    image.gridHeight = gh;
    image.gridWidth = gw;
    return image;
}

at::Tensor Lens::embedWords(const at::Tensor& ids, const ImageFeatures& image) const {
    return m_scene.told(m_language.embed(ids), image.facts);
}

namespace {

/// Scores and classes of what was found in each one's image.
FoundObjects foundBy(const FoundObjects& found, const at::Tensor& imageOf /*[N]*/) {
    return {perQuery(found.scores, imageOf), {}, {}, perQuery(found.classes, imageOf)};
}

} // namespace

at::Tensor Lens::asked(
    const ImageFeatures& image, const at::Tensor& states, const at::Tensor& imageOfRequest) const {
    return m_asked(
        states, foundBy(image.found, imageOfRequest), perQuery(image.objectTokens, imageOfRequest));
}

at::Tensor Lens::evidence(const ImageFeatures& image, const at::Tensor& states,
    const AnswerObjects& objects, const AnswerTokens& tokens,
    const at::Tensor& imageOfState) const {
    return m_evidence(states, foundBy(image.found, imageOfState), objects, tokens);
}

at::Tensor Lens::tokenClasses() const {
    const at::NoGradGuard guard;
    const auto named = nameLogits(); // [V, K + 1]
    const auto best = named.argmax(1, true);
    return at::zeros_like(named).scatter(1, best, 1).narrow(1, 0, named.size(1) - 1).contiguous();
}

at::Tensor Lens::nameLogits() const {
    return m_scene.nameLogits(m_language.embedding());
}

DecoderImage Lens::decoderImage(
    const VisionFeatures& features, const ImageFeatures& image, const AttentionRun& run) const {
    return m_decoder.image(
        features, image.patches, image.softClass, image.classLogits, image.found.maps, run);
}

ImageFeatures Lens::describe(const VisionFeatures& features, const AttentionRun& run) const {
    ImageFeatures image = describe(features, run.stop);
    image.decoder = decoderImage(features, image, run);
    return image;
}

std::pair<std::int64_t, std::int64_t> Lens::tokenGrid(
    std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto side = m_config.vision.tokenSide, longest = std::max(gridHeight, gridWidth);
    if (longest <= side)
        return {gridHeight, gridWidth};
    const auto fit = [&](std::int64_t length) {
        const auto share = double(length) * double(side) / double(longest);
        return std::max<std::int64_t>(1, std::lround(share));
    };
    return {fit(gridHeight), fit(gridWidth)};
}

std::int64_t Lens::tokenCount(std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto [height, width] = tokenGrid(gridHeight, gridWidth);
    constexpr std::int64_t kScene = 1;
    return (height + 1) / 2 * ((width + 1) / 2) + kScene + FoundObjects::kMost;
}

void Lens::addDescribePeak(PeakSum& sum, const SeenImage& seen) const {
    const auto P = seen.patches(), C = m_config.vision.width, K2 = m_config.classCount();
    m_embedder.addPeak(sum, seen);
    sum.take(K2 * P + C * P); // probabilities, softClass
    m_finder.addPeak(sum, seen);
    sum.take(FoundObjects::kMost * P + 3 * C * tokenCount(seen.gridHeight, seen.gridWidth));
    sum.pass(6 * K2 * P); // facts: maps of the classes, those that are sure, and their neighbours
    sum.pass(2 * C * P); // image tokens: patches with their classes, and transposed
    sum.give(K2 * P);
}

at::Tensor Lens::imageTokens(
    const at::Tensor& patches, std::int64_t gridHeight, std::int64_t gridWidth) const {
    const auto B = patches.size(0), C = patches.size(2);
    auto grid = patches.transpose(1, 2).reshape({B, C, gridHeight, gridWidth});
    const auto [height, width] = tokenGrid(gridHeight, gridWidth);
    if (height != gridHeight || width != gridWidth)
        grid = at::adaptive_avg_pool2d(grid, {height, width});
    grid = at::constant_pad_nd(grid, {0, grid.size(3) % 2, 0, grid.size(2) % 2});
    return m_shuffle(at::pixel_unshuffle(grid, 2).flatten(2).transpose(1, 2));
}

Pointing Lens::point(
    const ImageFeatures& image, const at::Tensor& states, const at::Tensor& imageOfQuery) const {
    const auto classes = at::softmax(m_decoder.classLogits(states), -1);
    return m_pointer(states, classes, perQuery(image.found.scores, imageOfQuery),
        perQuery(image.found.classes, imageOfQuery), perQuery(image.objectTokens, imageOfQuery));
}

MaskOutput Lens::maskFromStates(const ImageFeatures& image, const at::Tensor& states,
    const at::Tensor& meant, const PromptMaps& prompts, const at::Tensor& imageOfQuery,
    const AttentionRun& run) const {
    const auto classes = at::softmax(m_decoder.classLogits(states), -1);
    return m_decoder.decode(image.decoder, {states, classes, meant, prompts, imageOfQuery}, run);
}

MaskOutput Lens::maskFromPrompts(const ImageFeatures& image, const PromptMaps& prompts,
    const at::Tensor& imageOfQuery, const AttentionRun& run) const {
    return maskFromPrompts(
        image, prompts, meantByPrompts(image.found, prompts, imageOfQuery), imageOfQuery, run);
}

MaskOutput Lens::maskFromPrompts(const ImageFeatures& image, const PromptMaps& prompts,
    const at::Tensor& meant, const at::Tensor& imageOfQuery, const AttentionRun& run) const {
    return m_decoder.decode(image.decoder, {{}, {}, meant, prompts, imageOfQuery}, run);
}

} // namespace maskscope
