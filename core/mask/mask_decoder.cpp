// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_decoder.h"

#include "core/attention/attention_peak.h"
#include "core/mask/mask_head.h"
#include "core/mask/per_query.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace maskscope {

namespace {

constexpr std::int64_t kLooks = 32; ///< stride-8 channels that clicks are compared in
constexpr std::int64_t kCorner = 32; ///< numbers per coordinate of a box

/// Along dimension 1 to length 1.
at::Tensor unit(const at::Tensor& x) {
    return x / at::linalg_vector_norm(x, 2, at::IntArrayRef{1}, true).clamp_min(1e-6);
}

} // namespace

struct MaskDecoder::Parts {
    Parts(Weights& weights, const LensConfig& config)
        : heads(config.mask.heads)
        , stateClass(weights, "mask.state.class", config.vision.width, config.classCount())
        , stateQuery(weights, "mask.state.query", config.vision.width, config.mask.width)
        , contextIn(weights, "mask.context.in", config.vision.width, config.vision.width)
        , contextNorm(weights, "mask.context.norm", config.vision.width)
        , base(weights, "mask.base", config.vision.width, config.mask.width)
        , baseClass(weights, "mask.base_class", config.vision.width, config.mask.width)
        , keys(weights, "mask.similarity.keys", config.vision.width, config.mask.width)
        , queries(weights, "mask.similarity.queries", config.mask.width, config.mask.width)
        , similarity(weights, "mask.similarity.out", config.mask.heads, 1)
        , looks(weights, "mask.looks", 40, kLooks)
        , unprompted(weights.take("mask.prompt.query", {config.mask.width}, Init::normal(0.5)))
        , absent(weights.take("mask.prompt.absent", {3, config.vision.width}, Init::normal(0.5)))
        , places(weights, "mask.prompt.places", 3 * config.vision.width, config.mask.width)
        , corners(weights, "mask.prompt.corners", 4 * kCorner, config.mask.width)
        , evidence(weights, "mask.evidence", config.mask.heads + 2 + 4 + 5, config.mask.width)
        , objects(weights, "mask.objects", 2, config.mask.width, Bias::Without)
        , head(weights, config) {
        for (std::int64_t i = 0; i < config.mask.contextBlocks; ++i)
            contextBlocks.emplace_back(weights, "mask.context." + std::to_string(i),
                config.vision.width, config.mask.heads);
        for (std::int64_t i = 0; i < config.mask.queryBlocks; ++i)
            queryBlocks.emplace_back(
                weights, "mask.blocks." + std::to_string(i), config.mask.width, config.mask.heads);
    }

    at::Tensor promptVector(const at::Tensor& context, const PromptMaps& prompts) const;
    at::Tensor queryOf(const at::Tensor& context, const MaskQuery& query) const;
    at::Tensor similarityOf(const at::Tensor& imageKeys, const at::Tensor& query) const;
    at::Tensor classMatch(const DecoderImage& image, const MaskQuery& query) const;
    at::Tensor likeness(const DecoderImage& image, const MaskQuery& query) const;
    at::Tensor objectsOf(const DecoderImage& image, const MaskQuery& query) const;
    AttentionShape attentionShape(
        const SeenImage& seen, const RingRanks& ring, std::int64_t width) const;
    std::int64_t stagingBytes(const SeenImage& seen, const RingRanks& ring) const;

    std::int64_t heads;
    Linear stateClass; ///< C -> K + 2
    Linear stateQuery; ///< C -> C2
    Linear contextIn; ///< C -> C
    std::vector<PatchBlock> contextBlocks;
    LayerNorm contextNorm;
    Linear base; ///< C -> C2, of the context
    Linear baseClass; ///< C -> C2, of the soft class token
    Linear keys; ///< C -> C2
    Linear queries; ///< C2 -> C2
    Linear similarity; ///< heads -> 1
    Linear looks; ///< stride-8 channels -> kLooks
    at::Tensor unprompted; ///< [C2] the query without words
    at::Tensor
        absent; ///< [3, C] instead of the positive, negative, boxed places that are not there
    Linear places; ///< 3C -> C2
    Linear corners; ///< 4 kCorner -> C2
    Linear evidence; ///< similarity, class match, likeness and prompt maps -> C2
    Linear objects; ///< patches of what is meant, and of other objects -> C2
    std::vector<PatchBlock> queryBlocks;
    MaskHead head;
};

/// What lies under the clicks and in the box, and where the box is: [N, C2].
at::Tensor MaskDecoder::Parts::promptVector(
    const at::Tensor& context /*[N, P, C]*/, const PromptMaps& prompts) const {
    const auto shares = prompts.maps16.narrow(1, 0, 3).flatten(2); // [N, 3, P]
    const auto sums = shares.sum({2}, true); // [N, 3, 1]
    const auto present = sums.gt(0).to(context.scalar_type());
    const auto means = at::bmm(shares / sums.clamp_min(1e-6), context); // [N, 3, C]
    const auto seen = means * present + absent * (1 - present);
    const auto boxed = present.select(1, 2); // [N, 1]
    const auto where = sinusoids(prompts.boxes * 32, kCorner, 1000) // [N, 4, kCorner]
                           .flatten(1)
                           .to(context.scalar_type());
    return places(seen.flatten(1)) + corners(where * boxed);
}

at::Tensor MaskDecoder::Parts::queryOf(
    const at::Tensor& context /*[N, P, C]*/, const MaskQuery& query) const {
    const auto prompted = promptVector(context, query.prompts);
    return query.states.defined() ? prompted + stateQuery(query.states) : prompted + unprompted;
}

/// Products of the query's and the patches' heads: [N, H, P].
at::Tensor MaskDecoder::Parts::similarityOf(
    const at::Tensor& imageKeys /*[N, H, P, D]*/, const at::Tensor& query /*[N, C2]*/) const {
    const auto N = imageKeys.size(0), D = imageKeys.size(3);
    const auto asked = queries(query).view({N, heads, D, 1});
    return at::matmul(imageKeys, asked).squeeze(-1) / std::sqrt(double(D));
}

/// m(p) = sum over c of p(c | mask) p(c | patch p), raw and over its maximum: [N, 2, P].
at::Tensor MaskDecoder::Parts::classMatch(const DecoderImage& image, const MaskQuery& query) const {
    const auto N = query.imageOfQuery.size(0), P = image.context.size(1);
    if (!query.classProbabilities.defined())
        return at::zeros({N, 2, P}, image.context.options());
    const auto patches = perQuery(image.classProbabilities, query.imageOfQuery);
    const auto match
        = at::matmul(patches, query.classProbabilities.unsqueeze(-1)).squeeze(-1); // [N, P]
    const auto relative = match / match.amax({1}, true).clamp_min(1e-6);
    return at::stack({match, relative}, 1);
}

/// How much each patch looks like what was clicked, on average and at its most similar quarter,
/// for positive and negative clicks: [N, 4, P].
at::Tensor MaskDecoder::Parts::likeness(const DecoderImage& image, const MaskQuery& query) const {
    const auto N = query.imageOfQuery.size(0);
    const auto shares
        = at::avg_pool2d(query.prompts.maps4.narrow(1, 0, 2), 2).flatten(2); // [N, 2, 4P]
    const auto sums = shares.sum({2}, true);
    const auto present = sums.gt(0).to(shares.scalar_type());
    const auto looked = perQuery(image.looks, query.imageOfQuery).flatten(2); // [N, L, 4P]
    const auto clicked = at::bmm(looked, (shares / sums.clamp_min(1e-6)).transpose(1, 2));
    const auto alike = (at::bmm(unit(clicked).transpose(1, 2), looked) * present)
                           .view({N, 2, 2 * image.gridHeight, 2 * image.gridWidth});
    return at::cat({at::avg_pool2d(alike, 2), at::max_pool2d(alike, 2)}, 1).flatten(2);
}

/// Patches of the objects that are meant and of all others: [N, P, 2].
at::Tensor MaskDecoder::Parts::objectsOf(const DecoderImage& image, const MaskQuery& query) const {
    const auto maps = perQuery(image.objects, query.imageOfQuery); // [N, M, P]
    const auto wanted = query.meant.to(maps.scalar_type());
    return at::bmm(at::stack({wanted, 1 - wanted}, 1), maps).transpose(1, 2);
}

/// Of a layer of one image, beside a ring's staging.
AttentionShape MaskDecoder::Parts::attentionShape(
    const SeenImage& seen, const RingRanks& ring, std::int64_t width) const {
    return {1, heads, seen.patches(), width, seen.elementBytes, seen.threads, ring,
        stagingBytes(seen, ring)};
}

std::int64_t MaskDecoder::Parts::stagingBytes(const SeenImage& seen, const RingRanks& ring) const {
    const std::int64_t widest = std::max(contextIn.weight.size(0), base.weight.size(0));
    return maskscope::ringStagingBytes(
        {1, heads, seen.patches(), widest, seen.elementBytes, seen.threads, ring});
}

MaskDecoder::MaskDecoder(Weights& weights, const LensConfig& config)
    : m_parts(std::make_unique<Parts>(weights, config)) { }
MaskDecoder::~MaskDecoder() = default;
MaskDecoder::MaskDecoder(MaskDecoder&&) noexcept = default;

at::Tensor MaskDecoder::classLogits(const at::Tensor& states) const {
    return m_parts->stateClass(states);
}

DecoderImage MaskDecoder::image(const VisionFeatures& features, const at::Tensor& patches,
    const at::Tensor& softClass, const at::Tensor& classLogits, const at::Tensor& objects,
    const AttentionRun& run) const {
    const auto B = patches.size(0), P = patches.size(1);
    auto context = m_parts->contextIn(patches + softClass);
    for (const auto& block : m_parts->contextBlocks)
        context = block.forward(context, {}, run);
    DecoderImage image;
    image.context = m_parts->contextNorm(context);
    image.base = m_parts->base(image.context) + m_parts->baseClass(softClass);
    image.keys = m_parts->keys(image.context).view({B, P, m_parts->heads, -1}).transpose(1, 2);
    image.classProbabilities = at::softmax(classLogits, -1);
    const auto look = m_parts->looks(features.stride8.permute({0, 2, 3, 1}));
    image.looks = unit(look.permute({0, 3, 1, 2}));
    image.skip8 = m_parts->head.skip8(features);
    image.skip4 = m_parts->head.skip4(features, run.stop);
    image.objects = objects;
    image.gridHeight = features.gridHeight;
    image.gridWidth = features.gridWidth;
    return image;
}

std::int64_t MaskDecoder::ringStagingBytes(const SeenImage& seen, const RingRanks& ring) const {
    return m_parts->stagingBytes(seen, ring);
}

void MaskDecoder::addImagePeak(PeakSum& sum, const SeenImage& seen, const AttentionWay& way) const {
    const auto P = seen.patches(), C = m_parts->contextIn.weight.size(0),
               C2 = m_parts->base.weight.size(0), K2 = m_parts->stateClass.weight.size(0);
    sum.pass(2 * C * P);
    sum.take(C * P); // context
    sum.passBytes(blockPeakBytes(m_parts->attentionShape(seen, way.ring, C), way.path));
    sum.take(C * P + C2 * P); // normalised, base
    sum.pass(2 * C2 * P);
    sum.take(C2 * P + K2 * P + 2 * kLooks * 4 * P); // keys, classes, looks and of unit length
    m_parts->head.addSkipsPeak(sum, seen);
    sum.give(C * P + kLooks * 4 * P);
}

void MaskDecoder::addDecodePeak(
    PeakSum& sum, const SeenImage& seen, const AttentionWay& way) const {
    constexpr std::int64_t kFloat = 4; // bytes
    constexpr std::int64_t kPromptMaps = 5 + 4 * 16;
    const auto P = seen.patches(), C2 = m_parts->base.weight.size(0),
               evidence = m_parts->evidence.weight.size(1);
    if (seen.elementBytes != kFloat)
        sum.passBytes(kPromptMaps * P * (kFloat + seen.elementBytes));
    const auto kept = (kPromptMaps + m_parts->heads + evidence + C2) * P;
    sum.take(kept - C2 * P);
    sum.pass(5 * C2 * P); // base, evidence and objects, and their sums
    sum.take(C2 * P); // x
    sum.passBytes(blockPeakBytes(m_parts->attentionShape(seen, way.ring, C2), way.path));
    sum.take(P); // similarity
    m_parts->head.addLogitsPeak(sum, seen);
    sum.give(kept);
}

MaskOutput MaskDecoder::decode(
    const DecoderImage& image, const MaskQuery& asking, const AttentionRun& run) const {
    MaskQuery query = asking;
    const auto type = image.context.scalar_type();
    query.prompts.maps16 = query.prompts.maps16.to(type);
    query.prompts.maps4 = query.prompts.maps4.to(type);
    const auto& of = query.imageOfQuery;
    const auto asked = m_parts->queryOf(perQuery(image.context, of), query); // [N, C2]
    const auto alike = m_parts->similarityOf(perQuery(image.keys, of), asked); // [N, H, P]
    const auto evidence
        = at::cat({alike, m_parts->classMatch(image, query), m_parts->likeness(image, query),
                      query.prompts.maps16.flatten(2)},
            1)
              .transpose(1, 2); // [N, P, H + 11]
    auto x = perQuery(image.base, of) + asked.unsqueeze(1) + m_parts->evidence(evidence)
        + m_parts->objects(m_parts->objectsOf(image, query));
    for (const auto& block : m_parts->queryBlocks)
        x = block.forward(x, {}, run);
    MaskOutput output;
    output.similarity = m_parts->similarity(alike.transpose(1, 2)).squeeze(-1);
    output.logits = m_parts->head.logits(x, asked, image, query, run.stop);
    const auto [score, box] = m_parts->head.judge(x, asked, output.logits);
    output.score = score;
    output.box = box;
    return output;
}

} // namespace maskscope
