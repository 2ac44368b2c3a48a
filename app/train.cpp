// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/image/png_writer.h"
#include "core/train/evaluation.h"
#include "core/train/model_files.h"
#include "core/train/request_maker.h"
#include "core/train/scene_composer.h"
#include "core/train/sprite_library.h"
#include "core/train/training.h"

#include <ATen/Parallel.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <stop_token>
#include <thread>

namespace {

using namespace maskscope;
namespace fs = std::filesystem;

volatile std::sig_atomic_t interrupted = 0;

/// Files that scenes and words are made of.
struct MaterialFiles {
    fs::path sources = ".cache/sources";
    fs::path classes = "resources/models/classes.json";
    fs::path tokenizer = "resources/models/lens-small/tokenizer.json";

    void addTo(CLI::App& command) {
        command.add_option("--sources", sources, "Folder filled by fetch_sources.py")
            ->capture_default_str();
        command.add_option("--classes", classes, "The class list")->capture_default_str();
        command.add_option("--tokenizer", tokenizer, "tokenizer.json")->capture_default_str();
    }
    TrainingMaterial load() const {
        return {SpriteLibrary::load(sources, ClassList::load(classes)), Tokenizer(tokenizer)};
    }
};

void say(const std::string& line) {
    std::cout << line << std::endl;
}

Lens loadLens(const fs::path& model, const TrainingMaterial& material) {
    auto weights = Weights::fromFolder(model, at::kFloat);
    return {weights, readLensConfig(model / "config.json"), material.classTokens()};
}

struct EvaluationCommand {
    MaterialFiles files;
    EvaluationSettings settings;
    fs::path model = "resources/models/lens-small";
    fs::path json;

    void addTo(CLI::App& command) {
        files.addTo(command);
        command.add_option("--model", model, "Model folder")->capture_default_str();
        command.add_option("--scenes", settings.scenes, "Scenes of each set")
            ->capture_default_str();
        command.add_option("--width", settings.width)->capture_default_str();
        command.add_option("--height", settings.height)->capture_default_str();
        command.add_option("--seed", settings.seed)->capture_default_str();
        command.add_option("--json", json, "Also write the figures to this file");
    }

    void run() {
        files.tokenizer = model / "tokenizer.json";
        files.classes = model / "classes.json";
        const auto material = files.load();
        const auto lens = loadLens(model, material);
        std::map<std::string, Evaluation> sets;
        sets["seen"] = evaluate(lens, material, SceneSet::SeenSprites, settings);
        sets["unseen"] = evaluate(lens, material, SceneSet::UnseenSprites, settings);
        std::cout << evaluationTable(sets);
        if (json.empty())
            return;
        std::ofstream stream(json);
        stream << evaluationJson(sets, settings, model.filename().string());
        if (!stream.flush())
            throw Failure(ErrorKind::Input, json.string() + " cannot be written.");
    }
};

struct TrainCommand {
    MaterialFiles files;
    TrainingSettings settings;
    int evaluationScenes = 60;

    void addTo(CLI::App& command) {
        files.addTo(command);
        command
            .add_option("--start", settings.start,
                "safetensors files to start from: the encoder, then earlier weights")
            ->required();
        command.add_option("--out", settings.out, "Folder of checkpoint, log and model")
            ->required();
        command.add_option("--seed", settings.seed)->capture_default_str();
        command
            .add_option("--head-pictures", settings.classHeadPictures,
                "Pictures the class head is fitted on; 0 keeps that of --start")
            ->capture_default_str();
        command
            .add_option("--vision-images", settings.vision.images,
                "Pictures of the stage that trains the image side alone; 0 = none")
            ->capture_default_str();
        command.add_option("--vision-minutes", settings.vision.minutes,
            "Its wall time instead; the same weights again only with --vision-images");
        command
            .add_option("--encoder-rate", settings.encoderRate,
                "Learning rate of the encoder, relative to the rest; 0 = frozen")
            ->capture_default_str();
        command
            .add_option("--encoder-from", settings.encoderFrom,
                "First of the encoder's 16 blocks that is trained")
            ->capture_default_str();
        command
            .add_option("--language-images", settings.language.images,
                "Pictures of the stage that trains the language model alone; 0 = none")
            ->capture_default_str();
        command.add_option("--language-minutes", settings.language.minutes,
            "Its wall time instead; the same weights again only with --language-images");
        command.add_option("--images", settings.joint.images, "Pictures of the joint stage")
            ->capture_default_str();
        command.add_option("--minutes", settings.joint.minutes,
            "Its wall time instead; the same weights again only with --images");
        command
            .add_option("--gate-scenes", settings.gates.scenes,
                "New scenes that each stage is judged on when it ends; 0 = none")
            ->capture_default_str();
        command
            .add_option("--vision-gate", settings.gates.vision,
                "Least share of objects found after the image side's stage, or nothing follows")
            ->capture_default_str();
        command
            .add_option("--language-gate", settings.gates.language,
                "Least share of answers word for word after the language model's stage")
            ->capture_default_str();
        command
            .add_option("--joint-gate", settings.gates.joint,
                "Least mean IoU of requests in words after the joint stage")
            ->capture_default_str();
        command.add_option("--batch", settings.batch)->capture_default_str();
        command.add_option("--requests", settings.requests, "Requests in words of each picture")
            ->capture_default_str();
        command.add_option("--side", settings.side, "Pixels of the square pictures")
            ->capture_default_str();
        command
            .add_option("--mixed-from", settings.mixedFrom,
                "Share of the run after which other sizes are mixed in")
            ->capture_default_str();
        command.add_option(
            "--only", settings.only, "Train the tensors alone whose names begin so, as answer.");
        command.add_option("--rate", settings.schedule.peak, "Highest learning rate")
            ->capture_default_str();
        command.add_option("--composers", settings.composers, "Threads that make pictures")
            ->capture_default_str();
        command.add_option("--checkpoint-minutes", settings.checkpointMinutes)
            ->capture_default_str();
        command
            .add_option("--evaluation-scenes", evaluationScenes,
                "Scenes of each set to judge the result on; 0 = none")
            ->capture_default_str();
    }

    /// options: what to write beside the checkpoint, so that the run can be repeated.
    void run(const std::string& options) {
        settings.tokenizer = files.tokenizer;
        settings.classes = files.classes;
        fs::create_directories(settings.out);
        AtomicFile written(settings.out / "training.toml");
        written.write(options);
        written.commit();
        const auto material = files.load();
        std::stop_source stop;
        std::jthread watch([&stop](const std::stop_token& done) {
            while (!done.stop_requested() && !stop.stop_requested()) {
                if (interrupted)
                    stop.request_stop();
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
        });
        auto config = lensConfigFor(material);
        config.trainingPixels = std::int64_t(settings.side) * settings.side;
        train(material, config, settings, say, stop.get_token());
        if (interrupted || evaluationScenes <= 0)
            return;
        EvaluationSettings small;
        small.scenes = evaluationScenes;
        const auto lens = loadLens(settings.out / "model", material);
        std::map<std::string, Evaluation> sets;
        sets["seen"] = evaluate(lens, material, SceneSet::SeenSprites, small);
        sets["unseen"] = evaluate(lens, material, SceneSet::UnseenSprites, small);
        say(evaluationTable(sets));
    }
};

struct ExportCommand {
    MaterialFiles files;
    fs::path checkpoint;
    fs::path out;

    void addTo(CLI::App& command) {
        files.addTo(command);
        command.add_option("--checkpoint", checkpoint, "checkpoint.safetensors of a training")
            ->required();
        command.add_option("--out", out, "Model folder to write")->required();
    }

    void run() {
        const auto material = files.load();
        auto weights = Weights::forTraining({checkpoint}, Weights::Mismatch::Refuse, 0);
        const Lens lens(weights, lensConfigFor(material), material.classTokens());
        if (!weights.drawn().empty())
            throw Failure(ErrorKind::Model,
                checkpoint.string() + " lacks the tensor " + weights.drawn().front() + ".");
        writeModelFolder(out, weights, lens.config(), files.tokenizer, files.classes);
    }
};

/// Writes one scene: STEM.png, and STEM_CLASS.png with the pixels of each class that is there.
struct ComposeCommand {
    fs::path sources = MaterialFiles().sources;
    fs::path classes = MaterialFiles().classes;
    fs::path out;
    std::map<std::string, SceneSet> sets{{"training", SceneSet::Training},
        {"seen", SceneSet::SeenSprites}, {"unseen", SceneSet::UnseenSprites}};
    SceneSet set = SceneSet::SeenSprites;
    std::uint64_t seed = 1;
    int width = 256, height = 256;

    void addTo(CLI::App& command) {
        command.add_option("--sources", sources, "Folder filled by fetch_sources.py")
            ->capture_default_str();
        command.add_option("--classes", classes, "The class list")->capture_default_str();
        command.add_option("--set", set, "training, seen or unseen (sprites)")
            ->transform(CLI::CheckedTransformer(sets));
        command.add_option("--seed", seed)->capture_default_str();
        command.add_option("--width", width, "A multiple of 32")->capture_default_str();
        command.add_option("--height", height, "A multiple of 32")->capture_default_str();
        command.add_option("--out", out, "STEM.png")->required();
    }

    static void write(const fs::path& path, std::span<const std::byte> bytes) {
        AtomicFile file(path);
        file.write(bytes);
        file.commit();
    }

    void run() const {
        const auto library = SpriteLibrary::load(sources, ClassList::load(classes));
        const Scene scene = SceneComposer(library).compose(set, seed, width, height);
        write(out, encodeRgbPng(width, height, scene.image.rgb));
        std::map<int, std::vector<int>> byClass;
        for (std::size_t i = 0; i < scene.objects.size(); ++i)
            byClass[scene.objects[i].classIndex].push_back(int(i));
        for (const auto& [index, objects] : byClass) {
            if (index >= library->classes().size())
                continue;
            const auto& name = library->classes().at(index).singular;
            auto pixels = scene.unionOf(objects);
            for (auto& pixel : pixels)
                pixel = pixel != 0 ? 255 : 0;
            fs::path file = out;
            file.replace_filename(out.stem().string() + "_" + name + ".png");
            write(file, encodeGrayPng(width, height, pixels));
            std::cout << name << ": " << objects.size() << "\n";
        }
    }
};

/// What resources/models/tools/train_tokenizer.py reads.
struct CorpusCommand {
    fs::path classes = MaterialFiles().classes;

    void addTo(CLI::App& command) {
        command.add_option("--classes", classes, "The class list")->capture_default_str();
    }
    void run() const {
        for (const auto& line : tokenizerCorpus(ClassList::load(classes)))
            std::cout << line << "\n";
    }
};

int run(int argc, char** argv) {
    CLI::App app("Trains and judges maskscope_lens models");
    app.require_subcommand(1);
    app.set_config("--config", "", "Options from a file, such as a model folder's training.toml");
    int threads = 0;
    app.add_option("--threads", threads, "Threads of a computation; 0 = as the machine has");
    TrainCommand trainCommand;
    EvaluationCommand evaluationCommand;
    ExportCommand exportCommand;
    ComposeCommand composeCommand;
    CorpusCommand corpusCommand;
    auto* trainApp = app.add_subcommand("train", "Train, or go on from OUT/checkpoint.safetensors");
    auto* evaluationApp = app.add_subcommand("eval", "Judge a model folder on new scenes");
    auto* exportApp = app.add_subcommand("export", "Make a model folder from a checkpoint");
    auto* composeApp = app.add_subcommand("compose", "Write one scene and its masks");
    auto* corpusApp
        = app.add_subcommand("corpus", "Print every wording, a line each, to train a tokenizer on");
    trainCommand.addTo(*trainApp);
    evaluationCommand.addTo(*evaluationApp);
    exportCommand.addTo(*exportApp);
    composeCommand.addTo(*composeApp);
    corpusCommand.addTo(*corpusApp);
    CLI11_PARSE(app, argc, argv);

    std::signal(SIGINT, [](int) { interrupted = 1; });
    std::signal(SIGTERM, [](int) { interrupted = 1; });
    if (threads > 0)
        at::set_num_threads(threads);
    if (*trainApp)
        trainCommand.run(app.config_to_str(true));
    else if (*evaluationApp)
        evaluationCommand.run();
    else if (*exportApp)
        exportCommand.run();
    else if (*composeApp)
        composeCommand.run();
    else
        corpusCommand.run();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
