// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/checkpoint.h"
#include "core/train/joint_step.h"
#include "core/train/material.h"
#include "core/train/schedule.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace maskscope {

/// A stage ends after `minutes` of wall time or, when that is 0, after `images` pictures; only the
/// latter gives the same weights again.
struct StageBudget {
    double minutes = 0;
    std::int64_t images = 0;

    bool empty() const { return minutes <= 0 && images <= 0; }
};

/// What a stage has to reach before the next one may begin, of Evaluation's figures on new scenes
/// of seen sprites.
struct StageGates {
    int scenes = 0; ///< judged after each stage; 0 = no stage is judged
    double vision = 0; ///< least "found"
    double language = 0; ///< least "answer"
    double joint = 0; ///< least "text"
};

struct TrainingSettings {
    std::filesystem::path tokenizer; ///< tokenizer.json, copied into the model folder
    std::filesystem::path classes; ///< classes.json, likewise
    /// Files that tensors start from: at least the image encoder; a model.safetensors of an earlier
    /// training too, to go on from it.
    std::vector<std::filesystem::path> start;
    std::filesystem::path out; ///< folder of checkpoint.safetensors, log.jsonl and model/
    std::uint64_t seed = 1;

    int classHeadPictures = 6000; ///< pictures whose patches the class head is fitted on; 0 = skip
    int patchesPerPicture = 48;
    int classHeadEpochs = 12;

    StageBudget vision{0, 40'000}; ///< of what is seen before anything is asked; empty = skip
    double encoderRate = 0.05; ///< outside the language stage, relative to the rest; 0 = frozen
    int encoderFrom = 9; ///< first block of the encoder that is trained
    /// Of the language model, on the image side as it is; empty = skip.
    StageBudget language{0, 10'000};
    int languageRequests = 12; ///< in words, of each picture in that stage
    StageBudget joint{0, 40'000}; ///< of everything together
    StageGates gates;
    int batch = 10; ///< pictures in a step
    int requests = 4; ///< in words, of each picture in the joint stage
    int side = 256; ///< pixels of the square pictures
    double mixedFrom
        = 0.75; ///< from this share of the run on, sizes from side - 64 to side + 128 are mixed in
    std::string only; ///< how the names of the tensors begin that are trained; empty: all
    Schedule schedule;
    double classHeadRate = 0.2; ///< of a class head that was fitted, relative to the rest

    double checkpointMinutes = 4;
    double logMinutes = 1;
    int composers = 1; ///< threads that make pictures
};

/// One record of the log.
struct TrainingRecord {
    std::string stage;
    double minutes = 0; ///< of this stage
    std::uint64_t images = 0; ///< of this stage
    double imagesPerSecond = 0; ///< since the record before
    double rate = 0; ///< learning rate
    double gradientNorm = 0; ///< before clipping
    Figures figures; ///< mean since the record before
};
std::string lineOf(const TrainingRecord& record); ///< for people
std::string jsonOf(const TrainingRecord& record); ///< one object in one line

/// The judgement of a stage that has ended.
struct StageJudgement {
    std::string stage;
    int scenes = 0;
    std::map<std::string, double> figures; ///< means, by Evaluation's names
};
std::string lineOf(const StageJudgement& judgement);
std::string jsonOf(const StageJudgement& judgement);

/// Trains: the class head on cached channels of the frozen encoder; then the image side, with the
/// end of the encoder; then the language model; then everything together. Goes
/// on from out/checkpoint.safetensors if it is there, bit by bit (when the budget is in images).
/// Writes a checkpoint and out/model every few minutes and at the end; when stopped, a checkpoint.
/// A stage that ends below its gate throws Failure(Model); it goes on when its budget is raised.
/// `say` gets lines for people. Throws Failure.
void train(const TrainingMaterial& material, const LensConfig& config,
    const TrainingSettings& settings, const std::function<void(const std::string&)>& say,
    const std::stop_token& stop = {});

} // namespace maskscope
