// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/emitter.h"
#include "core/engine/lens_model.h"
#include "core/engine/stage_run.h"
#include "core/generate/language_session.h"
#include "core/generate/sampler.h"
#include "core/memory/budget.h"
#include "core/model/pixels.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// How the decoder's attention is computed. Results of two ways differ by rounding.
struct DecoderWay {
    AttentionPath path = AttentionPath::Sdpa;
    int ranks = 0; ///< of a ring

    bool operator==(const DecoderWay&) const = default;
};

/// The last object that was asked for by clicks alone, so that a further click costs one pass of
/// the decoder however many there were before.
struct ClickedObject {
    ObjectPrompt prompt;
    int meaning = 0;
    DecoderWay way;
    at::Tensor logits; ///< [H/2, W/2] after all its clicks; undefined = nothing was clicked

    /// `next` has these clicks and then more.
    bool leadsTo(const ObjectPrompt& next, int nextMeaning, DecoderWay nextWay) const;
};

/// What is known of the last image, so that a further request or click on it costs no vision.
struct ImageMemory {
    std::shared_ptr<const Image> image; ///< kept, so that its address stays its own
    ModelSize size;
    VisionFeatures features; ///< without the deep channels, which only describe() needs
    ImageFeatures described;
    std::optional<DecoderWay> decoderWay; ///< in which `described.decoder` was computed
    ClickedObject clicked; ///< without words

    bool holds(const std::shared_ptr<const Image>& other, const ModelSize& otherSize) const {
        return image == other && size == otherSize;
    }
};

/// The request's clicks, and one of its boxes or null, for one object.
ObjectPrompt promptOf(const Request& request, const BoxPrompt* box);

/// One request on a maskscope_lens model, from the image to the masks. Fills the report as it goes,
/// so that what was produced stays when it is stopped.
class LensRun {
public:
    /// `ring` is null for other paths.
    LensRun(const LensModel& model, ImageMemory& memory, const Request& request, Ring* ring,
        Emitter& emit, StageRecorder& recorder, const MemoryBudget& budget, StageTotals& totals,
        Report& report);

    /// Throws Cancelled or Failure.
    void run();

private:
    /// One object to segment: where it comes from, and its mask once it was decoded.
    struct Object {
        at::Tensor state; ///< [C] of its <|mask|> token; undefined without words
        at::Tensor meant; ///< [M] the found objects that it means; undefined: those at its prompts
        ObjectPrompt prompt; ///< its clicks, box and earlier mask, if any
        int tokenIndex = -1;
        std::string label;
        MaskOutput output; ///< undefined until decoded
    };

    StageRun stage(Stage stage) { return {stage, m_recorder, m_emit, m_totals}; }
    void look();
    void answer();
    void answerTokens(LanguageSession& session, const at::Tensor& last, Sampler& sampler);
    void segmentPrompts();
    void maskToken(
        const at::Tensor& state, at::Tensor meant, int tokenIndex, const std::string& phrase);
    bool hasPrompts() const { return !m_request.points.empty() || !m_request.boxes.empty(); }
    /// A positive click and nothing else.
    bool isOneClick() const;
    at::Tensor meaningsOfFirstClick() const; ///< [K, M]
    void offerCandidates();
    void refineBest();
    Mask maskOf(const Object& object, int index) const;
    void tellLogits(LogitsOf of, int index, const at::Tensor& logits /*[h, w] or [V]*/);
    void finish(Object& object);
    void prepareDecoder();
    void decode(Object& object);
    MaskOutput decodeOnce(const Object& object, const ObjectPrompt& prompt);
    std::string labelOf(const at::Tensor& state, const std::string& phrase) const;

    const LensModel& m_model;
    ImageMemory& m_memory;
    const Request& m_request;
    Emitter& m_emit;
    StageRecorder& m_recorder;
    const MemoryBudget& m_budget;
    StageTotals& m_totals;
    Report& m_report;
    AttentionRun m_attention;
    DecoderWay m_way;
    std::stop_token m_stop;
    std::vector<Object> m_waiting; ///< for the batch pass, or for a click to refine the best
};

} // namespace maskscope
