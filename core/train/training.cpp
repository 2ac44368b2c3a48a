// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training.h"

#include "core/base/error.h"
#include "core/train/adamw.h"
#include "core/train/class_head.h"
#include "core/train/evaluation.h"
#include "core/train/feed.h"
#include "core/train/model_files.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace maskscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kJointStream = 1, kStepStream = 2, kHeadStream = 3, kVisionStream = 4,
                        kLanguageStream = 5;
/// What a judgement of a stage tells.
constexpr std::array kJudged{
    "found", "class.object", "answer", "text", "objects.f1", "click.1", "box"};
constexpr const char* kClassHeadStage = "class_head";
constexpr const char* kVisionStage = "vision";
constexpr const char* kLanguageStage = "language";
constexpr const char* kJointStage = "joint";

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Size {
    int width = 0;
    int height = 0;
};

/// Sizes of the last part of a run: other shapes than square, up to 2.8 times the pixels.
Size mixedSize(int side, RandomStream& random) {
    const int step = 32;
    const int small = std::max(96, side + step * random.between(-2, 3));
    switch (random.below(4)) {
    case 0:
        return {side + step * random.between(1, 4), side};
    case 1:
        return {side, side + step * random.between(1, 4)};
    case 2:
        return {small, small};
    default:
        return {side, side};
    }
}

at::Tensor tensorOf(const Weights& weights, const std::string& name) {
    for (const auto& [key, tensor] : weights.all())
        if (key == name)
            return tensor;
    throw Failure(ErrorKind::Internal, "The model has no tensor " + name + ".");
}

bool isEncoder(const std::string& name) {
    return name.starts_with("vision.encoder.");
}

/// Block number of "vision.encoder.blocks.N.…"; the head and the classifier are behind all blocks.
int encoderBlock(const std::string& name) {
    constexpr std::string_view kBlocks = "vision.encoder.blocks.";
    if (name.starts_with(kBlocks))
        return std::stoi(name.substr(kBlocks.size()));
    return name.starts_with("vision.encoder.stem") ? -1 : 1000;
}

/// A stage of a training that runs through pictures until its budget is spent.
struct RunningStage {
    const char* name;
    StageBudget budget;
    std::uint64_t stream; ///< of its pictures
    int requests; ///< of each picture
    const char* judgedBy; ///< a figure of Evaluation
    double least; ///< of it
    std::function<StepResult(std::span<const Example>, RandomStream&)> step;
};

/// The state of one training: the model, where it stands, and where it is written.
class Training {
public:
    Training(const TrainingMaterial& material, const LensConfig& config,
        const TrainingSettings& settings, const std::function<void(const std::string&)>& say,
        const std::stop_token& stop)
        : m_material(material)
        , m_settings(settings)
        , m_say(say)
        , m_stop(stop)
        , m_weights(Weights::forTraining(settings.start, Weights::Mismatch::Draw, settings.seed))
        , m_lens(m_weights, config, material.classTokens())
        , m_checkpoint(settings.out / "checkpoint.safetensors") { }

    void run() {
        std::filesystem::create_directories(m_settings.out);
        const bool resumes = std::filesystem::exists(m_checkpoint);
        if (resumes) {
            m_progress = readProgress(m_checkpoint);
            if (m_progress.stageDone)
                readCheckpoint(m_checkpoint, m_weights.all());
        }
        if (!resumes && m_settings.classHeadPictures > 0)
            fitHead();
        auto stages = runningStages();
        const auto reached = std::ranges::find_if(
            stages, [this](const auto& stage) { return stage.name == m_progress.stage; });
        if (reached != stages.end())
            stages.erase(stages.begin(), reached + (m_progress.stageDone ? 1 : 0));
        for (const auto& stage : stages)
            if (!stage.budget.empty() && !m_stop.stop_requested())
                runStage(stage);
    }

private:
    Feed<std::vector<Example>> feedOf(std::uint64_t first, std::uint64_t stream, int requests,
        const std::function<Size(std::uint64_t)>& sizeOf) {
        auto make = [this, stream, requests, sizeOf](std::uint64_t step) {
            const auto size = sizeOf(step);
            std::vector<Example> examples;
            for (int i = 0; i < m_settings.batch; ++i) {
                const auto number = step * std::uint64_t(m_settings.batch) + std::uint64_t(i);
                examples.push_back(m_material.example(SceneSet::Training,
                    mixSeed(mixSeed(m_settings.seed, stream), number), size.width, size.height,
                    requests));
            }
            return examples;
        };
        return {std::move(make), first, m_settings.composers, 4};
    }

    void fitHead() {
        const auto begin = Clock::now();
        PatchSamples samples;
        RandomStream random(mixSeed(m_settings.seed, kHeadStream));
        auto feed = feedOf(0, kHeadStream, 1, [this](std::uint64_t step) {
            RandomStream ofStep(mixSeed(m_settings.seed, step));
            return ofStep.chance(0.5) ? Size{m_settings.side, m_settings.side}
                                      : mixedSize(m_settings.side, ofStep);
        });
        auto spoken = Clock::now();
        for (int pictures = 0; pictures < m_settings.classHeadPictures;
             pictures += m_settings.batch) {
            if (m_stop.stop_requested())
                return;
            samples.add(m_lens, feed.take(), m_settings.patchesPerPicture, random);
            if (secondsSince(spoken) > 60 * m_settings.logMinutes) {
                spoken = Clock::now();
                m_say("class_head: patches of " + std::to_string(pictures) + " pictures, "
                    + std::to_string(int(pictures / secondsSince(begin))) + "/s");
            }
        }
        const auto statistics = statisticsOf(samples.channels());
        const auto fit = fitClassHead(samples, statistics, m_lens.config().classCount(),
            m_settings.classHeadEpochs, mixSeed(m_settings.seed, kHeadStream));
        const at::NoGradGuard guard;
        tensorOf(m_weights, "vision.standard.mean").copy_(statistics.mean);
        tensorOf(m_weights, "vision.standard.deviation").copy_(statistics.deviation);
        tensorOf(m_weights, "vision.class_of_channels.weight").copy_(fit.weight);
        tensorOf(m_weights, "vision.class_of_patch.weight").zero_();
        tensorOf(m_weights, "vision.class_of_patch.bias").copy_(fit.bias);
        char line[200];
        std::snprintf(line, sizeof line,
            "class_head: %lld patches, right %.3f fitted, %.3f held out, %.3f held out of named "
            "objects, %.1f min",
            static_cast<long long>(samples.count()), fit.trainRight, fit.heldOutRight,
            fit.heldOutObjectsRight, secondsSince(begin) / 60);
        m_say(line);
        m_progress = {kClassHeadStage, true, m_settings.seed, 0,
            std::uint64_t(m_settings.classHeadPictures), secondsSince(begin)};
        writeCheckpoint(m_checkpoint, m_weights.all(), m_progress);
    }

    std::vector<RunningStage> runningStages() {
        return {
            {kVisionStage, m_settings.vision, kVisionStream, 1, "found", m_settings.gates.vision,
                [this](auto examples, auto&) { return visionStep(m_lens, examples); }},
            {kLanguageStage, m_settings.language, kLanguageStream, m_settings.languageRequests,
                "answer", m_settings.gates.language,
                [this](
                    auto examples, auto&) { return languageStep(m_lens, m_material, examples); }},
            {kJointStage, m_settings.joint, kJointStream, m_settings.requests, "text",
                m_settings.gates.joint, [this](auto examples, auto& random) {
                    return jointStep(m_lens, m_material, examples, random);
                }}};
    }

    /// How a tensor is trained in a stage; nothing when it is not.
    std::optional<double> rateOf(const std::string& name, std::string_view stage) const {
        if (!name.starts_with(m_settings.only))
            return std::nullopt;
        const bool vision = name.starts_with("vision.");
        if (name.starts_with("vision.standard.") || (stage == kVisionStage && !vision)
            || (stage == kLanguageStage && vision))
            return std::nullopt;
        if (isEncoder(name))
            return m_settings.encoderRate > 0 && encoderBlock(name) >= m_settings.encoderFrom
                ? std::optional(m_settings.encoderRate)
                : std::nullopt;
        const bool fitted = name == "vision.class_of_channels.weight"
            && (m_settings.classHeadPictures > 0
                || std::ranges::count(m_weights.drawn(), name) == 0);
        return fitted ? m_settings.classHeadRate : 1;
    }

    AdamW optimiser(std::string_view stage) const {
        std::vector<TrainedTensor> trained;
        for (const auto& [name, tensor] : m_weights.all()) {
            auto value = tensor;
            const auto rate = rateOf(name, stage);
            value.requires_grad_(rate.has_value());
            if (rate) // the encoder is not pulled to zero
                trained.push_back(
                    {name, value, *rate, tensor.dim() > 1 && !isEncoder(name) ? 0.02 : 0});
        }
        return {std::move(trained), {}};
    }

    double share(const StageBudget& budget) const {
        return budget.minutes > 0
            ? m_progress.seconds / (60 * budget.minutes)
            : double(m_progress.images) / double(std::max<std::int64_t>(budget.images, 1));
    }

    /// Starts or continues a stage, and ends it when its budget is spent or the training is
    /// stopped.
    void runStage(const RunningStage& stage) {
        auto adamw = optimiser(stage.name);
        auto everything = m_weights.all();
        for (const auto& entry : adamw.state())
            everything.push_back(entry);
        if (m_progress.stage == stage.name)
            m_progress = readCheckpoint(m_checkpoint, everything);
        else
            m_progress = {stage.name, false, m_settings.seed, 0, 0, 0};

        const auto& budget = stage.budget;
        // The feed runs ahead: with a budget of images it computes the share of its own step.
        std::atomic<double> come = share(budget);
        auto feed = feedOf(
            m_progress.steps, stage.stream, stage.requests, [this, &budget, &come](auto step) {
                const double at = budget.minutes > 0
                    ? come.load()
                    : double(step) * m_settings.batch / double(budget.images);
                RandomStream random(mixSeed(m_settings.seed, step));
                return at < m_settings.mixedFrom || random.chance(0.4)
                    ? Size{m_settings.side, m_settings.side}
                    : mixedSize(m_settings.side, random);
            });
        const double before = m_progress.seconds;
        const auto begin = Clock::now();
        auto logged = begin, saved = begin;
        TrainingRecord record{stage.name, 0, m_progress.images, 0, 0, 0, {}};
        std::uint64_t steps = 0;
        while (share(budget) < 1 && !m_stop.stop_requested()) {
            RandomStream random(mixSeed(mixSeed(m_settings.seed, kStepStream), m_progress.steps));
            const auto result = stage.step(feed.take(), random);
            result.loss.backward();
            record.rate = m_settings.schedule.at(share(budget));
            record.gradientNorm += adamw.step(record.rate);
            record.figures.add(result.figures);
            ++steps;
            ++m_progress.steps;
            m_progress.images += std::uint64_t(m_settings.batch);
            m_progress.seconds = before + secondsSince(begin);
            come = share(budget);
            if (secondsSince(logged) >= 60 * m_settings.logMinutes) {
                note(record, steps, secondsSince(logged));
                logged = Clock::now();
                record = {stage.name, 0, m_progress.images, 0, 0, 0, {}};
                steps = 0;
            }
            if (secondsSince(saved) >= 60 * m_settings.checkpointMinutes) {
                save(everything);
                saved = Clock::now();
            }
        }
        if (steps > 0)
            note(record, steps, secondsSince(logged));
        const bool spent = share(budget) >= 1;
        const auto shortfall = spent ? judge(stage) : std::nullopt;
        m_progress.stageDone = spent && !shortfall;
        save(m_progress.stageDone ? m_weights.all() : everything);
        if (shortfall)
            throw Failure(ErrorKind::Model, *shortfall);
    }

    /// Judges a stage that has ended; gives what it falls short of, if it does.
    std::optional<std::string> judge(const RunningStage& stage) {
        if (m_settings.gates.scenes <= 0)
            return std::nullopt;
        EvaluationSettings settings;
        settings.scenes = m_settings.gates.scenes;
        settings.width = settings.height = m_settings.side;
        const auto evaluation = evaluate(m_lens, m_material, SceneSet::SeenSprites, settings);
        StageJudgement judgement{stage.name, settings.scenes, {}};
        for (const char* name : kJudged)
            if (const auto figure = evaluation.figures.find(name);
                figure != evaluation.figures.end())
                judgement.figures[name] = figure->second.mean;
        m_say(lineOf(judgement));
        log(jsonOf(judgement));
        const double reached = judgement.figures[stage.judgedBy];
        if (reached >= stage.least)
            return std::nullopt;
        char text[300];
        std::snprintf(text, sizeof text,
            "After the %s stage \"%s\" is %.3f on %d new scenes, and its gate asks for %.3f: raise "
            "the stage's budget and start again to go on with it, or lower the gate.",
            stage.name, stage.judgedBy, reached, settings.scenes, stage.least);
        return text;
    }

    /// Completes a record that was begun at record.images, and writes it.
    void note(TrainingRecord& record, std::uint64_t steps, double seconds) {
        record.imagesPerSecond = double(m_progress.images - record.images) / seconds;
        record.gradientNorm /= double(steps);
        record.images = m_progress.images;
        record.minutes = m_progress.seconds / 60;
        m_say(lineOf(record));
        log(jsonOf(record));
    }

    void log(const std::string& line) const {
        std::ofstream log(m_settings.out / "log.jsonl", std::ios::app);
        log << line << "\n";
        if (!log.flush())
            throw Failure(
                ErrorKind::Input, (m_settings.out / "log.jsonl").string() + " cannot be written.");
    }

    void save(const NamedTensors& everything) {
        writeCheckpoint(m_checkpoint, everything, m_progress);
        writeModelFolder(m_settings.out / "model", m_weights, m_lens.config(), m_settings.tokenizer,
            m_settings.classes);
    }

    const TrainingMaterial& m_material;
    const TrainingSettings& m_settings;
    const std::function<void(const std::string&)>& m_say;
    const std::stop_token& m_stop;
    Weights m_weights;
    Lens m_lens;
    std::filesystem::path m_checkpoint;
    TrainingProgress m_progress;
};

} // namespace

void train(const TrainingMaterial& material, const LensConfig& config,
    const TrainingSettings& settings, const std::function<void(const std::string&)>& say,
    const std::stop_token& stop) {
    Training(material, config, settings, say, stop).run();
}

} // namespace maskscope
