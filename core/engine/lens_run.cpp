// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lens_run.h"

#include "core/base/cancelled.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/engine/answer_phrase.h"
#include "core/engine/mask_finish.h"
#include "core/engine/preflight.h"
#include "core/generate/generator.h"
#include "core/generate/unknown_word.h"
#include "core/mask/mask_geometry.h"
#include "core/memory/scope.h"
#include "core/model/painted_answer.h"
#include "core/ring/ring.h"

#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace maskscope {

namespace {

constexpr double kSameMask = 0.9; ///< IoU of two candidates that a person would not tell apart
/// In a larger image a further pass of the decoder takes longer than a person waits for a click.
constexpr int kMostPatchesForCandidates = 4096;

} // namespace

bool ClickedObject::leadsTo(const ObjectPrompt& next, int nextMeaning, DecoderWay nextWay) const {
    return logits.defined() && meaning == nextMeaning && way == nextWay && prompt.box == next.box
        && prompt.points.size() < next.points.size()
        && std::equal(prompt.points.begin(), prompt.points.end(), next.points.begin());
}

ObjectPrompt promptOf(const Request& request, const BoxPrompt* box) {
    const Image& image = *request.images.front();
    const double w = image.width, h = image.height;
    ObjectPrompt prompt;
    for (const PointPrompt& point : request.points)
        prompt.points.push_back({point.x / w, point.y / h, point.sign});
    if (box)
        prompt.box = BoxPrompt{std::max(box->x0 / w, 0.0), std::max(box->y0 / h, 0.0),
            std::min(box->x1 / w, 1.0), std::min(box->y1 / h, 1.0)};
    return prompt;
}

LensRun::LensRun(const LensModel& model, ImageMemory& memory, const Request& request, Ring* ring,
    Emitter& emit, StageRecorder& recorder, const MemoryBudget& budget, StageTotals& totals,
    Report& report)
    : m_model(model)
    , m_memory(memory)
    , m_request(request)
    , m_emit(emit)
    , m_recorder(recorder)
    , m_budget(budget)
    , m_totals(totals)
    , m_report(report)
    , m_attention{report.attention.used, request.stop.get_token(), ring}
    , m_way{report.attention.used, ring ? ring->ranks() : 0}
    , m_stop(request.stop.get_token()) { }

void LensRun::run() {
    look();
    if (!m_request.text.empty())
        answer();
    else
        segmentPrompts();
    m_budget.check();
}

void LensRun::look() {
    const auto& image = m_request.images.front();
    const ModelSize size = seenSize(m_model.lens.config(), m_request);
    m_report.patches = static_cast<int>(size.patches());
    if (m_memory.holds(image, size))
        return;
    m_memory = ImageMemory{};

    const MemoryScope scope(MemoryCategory::Vision);
    at::Tensor pixels; // [1, 3, H, W]
    {
        const StageRun stage = this->stage(Stage::Image);
        pixels = modelPixels(*image, size, m_stop).to(scalarTypeOf(m_model.precision));
        throwIfStopped(m_stop);
    }
    const StageRun stage = this->stage(Stage::Vision);
    VisionFeatures features = m_model.lens.encode(pixels, m_stop);
    m_budget.check();
    ImageFeatures described = m_model.lens.describe(features, m_stop);
    m_budget.check();
    features.stride16 = features.head = features.probabilities = at::Tensor();
    m_memory
        = ImageMemory{image, size, std::move(features), std::move(described), std::nullopt, {}};
}

void LensRun::answer() {
    const MemoryScope scope(MemoryCategory::Language);
    const LanguageModel& language = m_model.lens.language();
    const at::Tensor& seen = m_memory.described.tokens; // [1, M, C]
    const Prompt prompt = m_model.prompts.prompt(seen.size(1), m_request.text);
    const auto length = static_cast<std::int64_t>(prompt.ids.size());
    const std::int64_t capacity
        = std::min(language.config().mostPositions, length + m_request.settings.maxNewTokens + 1);
    const auto session = m_request.settings.kvCache == KvCacheMode::On
        ? cachedSession(language, capacity)
        : uncachedSession(language, capacity);
    Sampler sampler(m_request.settings.sampling);
    m_report.seed = sampler.seed();
    at::Tensor last; // [C]
    {
        const StageRun stage = this->stage(Stage::Prefill);
        checkImageSlots(prompt, seen.size(1));
        const at::Tensor ids = at::tensor(at::ArrayRef<int>(prompt.ids), at::kLong);
        at::Tensor embeddings
            = m_model.lens.embedWords(ids.unsqueeze(0), m_memory.described).squeeze(0);
        embeddings.index_copy_(0, at::tensor(at::ArrayRef<std::int64_t>(prompt.imageSlots)),
            seen.squeeze(0)); // [T, C]
        last = session->feed(embeddings.unsqueeze(0), m_stop);
        m_budget.check();
    }
    answerTokens(*session, last, sampler);
    if (hasPrompts() && !m_waiting.empty())
        refineBest();
    for (Object& object : m_waiting)
        finish(object);
}

void LensRun::answerTokens(LanguageSession& session, const at::Tensor& last, Sampler& sampler) {
    StageRun stage = this->stage(Stage::Decode);
    const ControlIds& controls = m_model.prompts.controls();
    const Generator generator(
        m_model.lens.language(), m_model.prompts.tokenizer(), {controls.end, controls.mask});
    const UnknownWord unknown(m_model.prompts.tokenizer(), m_request.text);
    PaintedAnswer painted(m_model.lens, m_memory.described,
        {m_model.tokenClasses, controls.mask, controls.end}, last);
    AnswerPhrase phrase;
    const double begun = m_emit.elapsedMs();
    const int most = m_request.settings.maxNewTokens;
    const auto onToken = [&](const AnswerToken& token) {
        m_budget.check();
        const bool isMask = token.maskState.defined();
        if (token.index == 0)
            m_report.timeToFirstTokenMs = m_emit.elapsedMs();
        m_report.tokens.push_back(token.id);
        m_report.answer += isMask ? "<|mask|>" : token.text;
        m_emit(TokenProduced{token.id, token.text, token.index, isMask});
        tellLogits(LogitsOf::Token, token.index, token.logits);
        stage.progress(double(token.index + 1) / most);
        if (isMask)
            maskToken(token.maskState, painted.paint(token.maskState), token.index, phrase.take());
        else
            phrase.add(token.text);
        const double seconds = (m_emit.elapsedMs() - begun) / 1000;
        m_report.tokensPerSecond = double(m_report.tokens.size()) / std::max(seconds, 1e-9);
    };
    const AnswerEnding ending = generator.run(
        session, last, sampler, most, onToken, m_stop,
        [&] { return unknown.after(m_report.answer); },
        [&](const at::Tensor& state) { return painted.evidence(state); });
    m_report.answer += ending.rest;
    m_report.answerCut = ending.end != AnswerEnd::EndToken;
}

void LensRun::maskToken(
    const at::Tensor& state, at::Tensor meant, int tokenIndex, const std::string& phrase) {
    Object object{state, std::move(meant), {}, tokenIndex, labelOf(state, phrase), {}};
    if (m_request.settings.maskPass == MaskPass::Batch || hasPrompts())
        m_waiting.push_back(std::move(object));
    else
        finish(object);
}

void LensRun::segmentPrompts() {
    std::vector<Object> objects;
    if (m_request.boxes.empty())
        objects.push_back({{}, {}, promptOf(m_request, nullptr), -1, {}, {}});
    if (m_request.meaning != 0) {
        const at::Tensor meanings = meaningsOfFirstClick();
        if (m_request.meaning < 0 || m_request.meaning >= meanings.size(0))
            throw Failure(ErrorKind::Usage,
                "The first click may mean " + std::to_string(meanings.size(0))
                    + " things, numbered from 0; there is no meaning "
                    + std::to_string(m_request.meaning) + ".");
        objects.front().meant = meanings[m_request.meaning];
    }
    for (const BoxPrompt& box : m_request.boxes)
        objects.push_back({{}, {}, promptOf(m_request, &box), -1, {}, {}});
    for (Object& object : objects)
        finish(object);
    if (isOneClick() && m_report.patches <= kMostPatchesForCandidates)
        offerCandidates();
}

bool LensRun::isOneClick() const {
    return m_request.text.empty() && m_request.boxes.empty() && m_request.points.size() == 1
        && m_request.points.front().sign == PointSign::Positive;
}

at::Tensor LensRun::meaningsOfFirstClick() const {
    const ImageFeatures& image = m_memory.described;
    ObjectPrompt click = promptOf(m_request, nullptr);
    click.points.resize(std::min<std::size_t>(click.points.size(), 1));
    return meaningsOfClick(image.found, promptMaps({click}, image.gridHeight, image.gridWidth));
}

void LensRun::offerCandidates() {
    const MemoryScope scope(MemoryCategory::MaskDecoder);
    const StageRun stage = this->stage(Stage::Mask);
    const at::Tensor meanings = meaningsOfFirstClick();
    for (int i = 0; i < meanings.size(0); ++i) {
        if (i == m_request.meaning) {
            auto chosen = std::make_shared<Mask>(*m_report.masks.front());
            chosen->index = i;
            m_report.candidates.push_back(std::move(chosen));
            continue;
        }
        Object object{{}, meanings[i], promptOf(m_request, nullptr), -1, {}, {}};
        object.output = decodeOnce(object, object.prompt);
        auto mask = std::make_shared<const Mask>(maskOf(object, i));
        const bool known = std::ranges::any_of(m_report.candidates,
            [&](const auto& other) { return iouOf(mask->bits, other->bits) > kSameMask; });
        if (mask->area > 0 && !known)
            m_report.candidates.push_back(std::move(mask));
    }
}

void LensRun::refineBest() {
    const MemoryScope scope(MemoryCategory::MaskDecoder);
    const StageRun stage = this->stage(Stage::Mask);
    Object* best = nullptr;
    for (Object& object : m_waiting) {
        decode(object);
        const auto score = [](const Object& o) { return o.output.score.item<float>(); };
        best = !best || score(object) > score(*best) ? &object : best;
    }
    best->prompt
        = promptOf(m_request, m_request.boxes.empty() ? nullptr : &m_request.boxes.front());
    best->prompt.previous = best->output.logits[0][0];
    decode(*best);
}

void LensRun::finish(Object& object) {
    const MemoryScope scope(MemoryCategory::MaskDecoder);
    const StageRun stage = this->stage(Stage::Mask);
    if (!object.output.logits.defined())
        decode(object);
    const int index = static_cast<int>(m_report.masks.size());
    m_report.masks.push_back(std::make_shared<const Mask>(maskOf(object, index)));
    m_emit(MaskProduced{m_report.masks.back()});
    tellLogits(LogitsOf::Mask, index, object.output.logits[0][0]);
    object.output = MaskOutput{};
    throwIfStopped(m_stop);
}

Mask LensRun::maskOf(const Object& object, int index) const {
    const Image& image = *m_request.images.front();
    Mask mask = maskOfLogits(object.output.logits[0][0], image.width, image.height);
    m_budget.check();
    mask.label = object.label;
    mask.score = object.output.score.item<float>();
    if (!std::isfinite(mask.score))
        throw Failure(ErrorKind::Model,
            "The mask decoder gives numbers that are not finite: the weights of this model are "
            "damaged, or do not fit the precision "
                + std::string(nameOf(m_model.precision)) + ".");
    mask.index = index;
    mask.tokenIndex = object.tokenIndex;
    return mask;
}

void LensRun::tellLogits(LogitsOf of, int index, const at::Tensor& logits) {
    const LogitRecord record = m_request.settings.logits;
    if (record == LogitRecord::Off || !logits.defined())
        return;
    const at::Tensor numbers = logits.to(at::kFloat).contiguous();
    const std::span values(
        numbers.const_data_ptr<float>(), static_cast<std::size_t>(numbers.numel()));
    LogitsProduced produced{of, index, static_cast<int>(numbers.size(-1)),
        numbers.dim() > 1 ? static_cast<int>(numbers.size(0)) : 1, digestOf(std::as_bytes(values)),
        {}};
    if (record == LogitRecord::Values)
        produced.values = std::make_shared<const std::vector<float>>(values.begin(), values.end());
    m_emit(std::move(produced));
}

void LensRun::prepareDecoder() {
    if (m_memory.decoderWay == m_way)
        return;
    m_memory.decoderWay.reset();
    m_memory.described.decoder
        = m_model.lens.decoderImage(m_memory.features, m_memory.described, m_attention);
    m_memory.decoderWay = m_way;
    m_budget.check();
}

void LensRun::decode(Object& object) {
    prepareDecoder();
    const auto& points = object.prompt.points;
    // Clicks come one after the other, each with the mask of those before it, as in training.
    ObjectPrompt prompt{{}, object.prompt.box, object.prompt.previous};
    std::size_t used = std::min<std::size_t>(1, points.size());
    const bool wordless = !object.state.defined();
    if (wordless && m_memory.clicked.leadsTo(object.prompt, m_request.meaning, m_way)) {
        prompt.previous = m_memory.clicked.logits;
        used = m_memory.clicked.prompt.points.size() + 1;
    }
    for (;; ++used) {
        prompt.points.assign(points.begin(), points.begin() + std::ptrdiff_t(used));
        object.output = decodeOnce(object, prompt);
        if (used >= points.size())
            break;
        prompt.previous = object.output.logits[0][0];
    }
    if (wordless && !points.empty())
        m_memory.clicked = {object.prompt, m_request.meaning, m_way, object.output.logits[0][0]};
}

MaskOutput LensRun::decodeOnce(const Object& object, const ObjectPrompt& prompt) {
    throwIfStopped(m_stop);
    const ImageFeatures& image = m_memory.described;
    PromptMaps maps = promptMaps({prompt}, image.gridHeight, image.gridWidth);
    const at::ScalarType dtype = scalarTypeOf(m_model.precision);
    maps = {maps.maps16.to(dtype), maps.maps4.to(dtype), maps.boxes.to(dtype)};
    const at::Tensor first = at::zeros({1}, at::kLong);
    const auto decoded = [&] {
        if (object.state.defined())
            return m_model.lens.maskFromStates(image, object.state.unsqueeze(0),
                object.meant.unsqueeze(0), maps, first, m_attention);
        if (object.meant.defined())
            return m_model.lens.maskFromPrompts(
                image, maps, object.meant.unsqueeze(0), first, m_attention);
        return m_model.lens.maskFromPrompts(image, maps, first, m_attention);
    };
    MaskOutput output = decoded();
    m_budget.check();
    return output;
}

std::string LensRun::labelOf(const at::Tensor& state, const std::string& phrase) const {
    const at::Tensor classes = m_model.lens.decoder().classLogits(state.unsqueeze(0)); // [1, K + 2]
    const auto best = classes.argmax(-1).item<std::int64_t>();
    const auto& names = m_model.lens.config().classes;
    return best < std::int64_t(names.size()) ? names[std::size_t(best)] : phrase;
}

} // namespace maskscope
