// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/patch_attention.h"
#include "core/mask/mask_decoder.h"
#include "core/mask/object_pointer.h"
#include "core/mask/prompt_maps.h"
#include "core/model/answer_evidence.h"
#include "core/model/asked_objects.h"
#include "core/model/config.h"
#include "core/model/language_model.h"
#include "core/model/object_finder.h"
#include "core/model/object_namer.h"
#include "core/model/patch_embedder.h"
#include "core/model/peak_sum.h"
#include "core/model/scene_tokens.h"
#include "core/model/vision_encoder.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace maskscope {

/// Everything known of a batch of images before any words.
struct ImageFeatures {
    at::Tensor patches; ///< [B, P, C]
    at::Tensor classLogits; ///< [B, P, K + 2]
    at::Tensor softClass; ///< [B, P, C] word embeddings of the classes, weighted by probability
    at::Tensor tokens; ///< [B, M, C]: image tokens, then scene tokens; what the words follow
    ObjectMaps objectMaps; ///< what the objects were found by
    FoundObjects found;
    at::Tensor objectTokens; ///< [B, M, C] the part of `tokens` that stands for them
    at::Tensor facts; ///< [B, K, 10] of each class, see SceneTokens::facts
    DecoderImage decoder; ///< undefined tensors until decoderImage() was asked
    std::int64_t gridHeight = 0;
    std::int64_t gridWidth = 0;
};

/// maskscope_lens: an image and words become an answer whose <|mask|> tokens are masks; clicks and
/// boxes become masks without words. The order of a run:
///   pixels -> encode -> describe -> image.tokens, <|user|> words <|assistant|> -> language()
///   hidden state of the prompt's last token -> asked
///   hidden state before each token of an answer -> language().logits() + evidence
///   hidden state where <|mask|> was the input -> point, meantByWords -> maskFromStates
///   clicks, boxes -> maskFromPrompts
class Lens {
public:
    /// classTokens[k]: the tokens of " " + config.classes[k]. Ends with weights.finish().
    Lens(Weights& weights, LensConfig config, std::vector<std::vector<std::int64_t>> classTokens);
    ~Lens();

    const LensConfig& config() const { return m_config; }
    const VisionEncoder& encoder() const { return m_encoder; }
    const PatchEmbedder& embedder() const { return m_embedder; }
    const LanguageModel& language() const { return m_language; }
    const MaskDecoder& decoder() const { return m_decoder; }

    /// pixels [B, 3, H, W] as modelPixels() gives them.
    VisionFeatures encode(const at::Tensor& pixels, const std::stop_token& stop = {}) const;

    /// The trainable rest of the image side, without the decoder's part: no patch attention.
    ImageFeatures describe(const VisionFeatures& features, const std::stop_token& stop = {}) const;

    /// The memory of describe() on one image, whose features stay in its caller's hands.
    void addDescribePeak(PeakSum& sum, const SeenImage& seen) const;

    /// How many of ImageFeatures::tokens an image has, M.
    std::int64_t tokenCount(std::int64_t gridHeight, std::int64_t gridWidth) const;

    /// The words of a request about an image as the language model reads them: embedded, and those
    /// that name a class with what the image shows of it. [B, T, C]
    at::Tensor embedWords(const at::Tensor& ids /*[B, T] int64*/, const ImageFeatures& image) const;

    /// Which of the found objects requests ask for, from the states [R, C] of their prompts' last
    /// tokens: logits [R, M].
    at::Tensor asked(const ImageFeatures& image, const at::Tensor& states,
        const at::Tensor& imageOfRequest /*[R]*/) const;

    /// What the image says about the token that follows each of N states of answers, beside
    /// language().logits(): [N, V].
    at::Tensor evidence(const ImageFeatures& image, const at::Tensor& states /*[N, C]*/,
        const AnswerObjects& objects, const AnswerTokens& tokens,
        const at::Tensor& imageOfState /*[N]*/) const;

    /// 1 where a token of the vocabulary names a class, [V, K].
    at::Tensor tokenClasses() const;

    /// Which class each token of the vocabulary names; the last column: none. [V, K + 1], to train.
    at::Tensor nameLogits() const;

    /// What the mask decoder needs of described images; of `features` only the pixels and strides 4
    /// and 8.
    DecoderImage decoderImage(
        const VisionFeatures& features, const ImageFeatures& image, const AttentionRun& run) const;

    /// Both.
    ImageFeatures describe(const VisionFeatures& features, const AttentionRun& run) const;

    /// Which of the found objects states [N, C] of <|mask|> tokens mean.
    Pointing point(const ImageFeatures& image, const at::Tensor& states,
        const at::Tensor& imageOfQuery /*[N]*/) const;

    /// Masks of states [N, C] of <|mask|> tokens that mean some of each object, with prompts of N
    /// objects that may be empty.
    MaskOutput maskFromStates(const ImageFeatures& image, const at::Tensor& states,
        const at::Tensor& meant /*[N, M]*/, const PromptMaps& prompts,
        const at::Tensor& imageOfQuery /*[N]*/, const AttentionRun& run) const;

    /// Masks of N objects from clicks, boxes and previous masks, where it is known which of the
    /// found objects they mean.
    MaskOutput maskFromPrompts(const ImageFeatures& image, const PromptMaps& prompts,
        const at::Tensor& meant /*[N, M]*/, const at::Tensor& imageOfQuery /*[N]*/,
        const AttentionRun& run) const;

    /// Masks of N objects from clicks, boxes and previous masks alone.
    MaskOutput maskFromPrompts(const ImageFeatures& image, const PromptMaps& prompts,
        const at::Tensor& imageOfQuery /*[N]*/, const AttentionRun& run) const;

    /// Mean embedding of each class's words times sqrt(C), zero for background and unknown:
    /// [K + 2, C].
    at::Tensor wordEmbeddings() const;

private:
    /// Patches of the grid that image tokens are made of, before the 2 x 2 shuffle.
    std::pair<std::int64_t, std::int64_t> tokenGrid(
        std::int64_t gridHeight, std::int64_t gridWidth) const;
    at::Tensor imageTokens(const at::Tensor& patches /*[B, P, C]*/, std::int64_t gridHeight,
        std::int64_t gridWidth) const; ///< [B, gh gw / 4 at most 64, C]

    LensConfig m_config;
    at::Tensor m_classTokens; ///< [K, most] int64, padded with 0
    at::Tensor m_classShares; ///< [K, most] float: 1 / number of tokens, 0 at padding
    VisionEncoder m_encoder;
    PatchEmbedder m_embedder;
    ObjectFinder m_finder;
    ObjectNamer m_namer;
    LanguageModel m_language;
    MaskDecoder m_decoder;
    Linear m_shuffle; ///< 4C -> C
    SceneTokens m_scene;
    AskedObjects m_asked;
    AnswerEvidence m_evidence;
    ObjectPointer m_pointer;
};

} // namespace maskscope
