// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/segment_command.h"

#include "app/cli/arguments.h"
#include "app/cli/past_run.h"
#include "app/cli/print_report.h"
#include "app/cli/terminal.h"
#include "app/run_machine.h"
#include "core/base/cancelled.h"
#include "core/base/digest.h"
#include "core/engine/event_json.h"
#include "core/engine/size_remark.h"
#include "core/history/run_recorder.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace maskscope {

namespace {

/// What the person sees while one input runs: JSON lines, or the answer as it comes.
class Narrator {
public:
    /// `engine` is the one that runs, or null while it is made.
    Narrator(SegmentVoice voice, int imageIndex, const Engine* engine)
        : m_voice(voice)
        , m_imageIndex(imageIndex)
        , m_engine(engine) { }

    void operator()(const Event& event) {
        if (std::holds_alternative<Done>(event.payload))
            m_totalMs = event.tMs;
        if (m_voice == SegmentVoice::None)
            return;
        if (m_voice == SegmentVoice::Json) {
            // A failure is told once, where it is caught.
            if (std::holds_alternative<Failed>(event.payload))
                return;
            auto line = jsonOf(event, m_imageIndex);
            if (m_engine && std::holds_alternative<Done>(event.payload))
                line["telemetry_share"] = m_engine->telemetry().share();
            if (!line.is_null())
                std::cout << lineOf(line) << '\n' << std::flush;
            return;
        }
        if (const auto* progress = std::get_if<StageProgress>(&event.payload)) {
            m_bar.begin(nameOf(progress->stage), progress->fraction);
        } else if (const auto* token = std::get_if<TokenProduced>(&event.payload)) {
            m_bar.clear();
            if (token->isMask)
                std::cout << "[mask " << ++m_masks << ']' << std::flush;
            else
                std::cout << terminalText(token->text) << std::flush;
        }
    }

    double totalMs() const { return m_totalMs; }

private:
    SegmentVoice m_voice;
    int m_imageIndex;
    const Engine* m_engine;
    double m_totalMs = 0;
    int m_masks = 0; ///< of the answer so far
    ProgressBar m_bar;
};

} // namespace

SegmentCommand::SegmentCommand(CLI::App& app, RankPlace ranks)
    : Command(app, ranks == RankPlace::Threads ? "segment" : "ring-worker",
        ranks == RankPlace::Threads
            ? "Find what a request names, or what a click or box shows"
            : "Be one rank of a ring over processes: RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT",
        ranks == RankPlace::Threads
            ? "maskscope-cli segment cup.jpg -p \"the cup\" --out out --format overlay"
            : "RANK=0 WORLD_SIZE=2 MASTER_ADDR=127.0.0.1 MASTER_PORT=29500 maskscope-cli "
              "ring-worker cup.jpg -p \"the cup\"")
    , m_request(options(), ranks == RankPlace::Threads ? "segment" : "ring-worker") {
    CLI::App* c = &options();
    c->add_option("images", m_images, "Pictures to look at")->required()->type_name("IMAGE");
    c->add_option("--out", m_out, "Folder for the files")->check(notEmpty())->type_name("DIR");
    c->add_option(
         "--format", m_formats, "png, coco, labelme, yolo, svg, overlay; comma or repeated")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_flag("--force", m_force, "Overwrite existing files");
    if (ranks == RankPlace::Processes)
        m_worker.emplace(*c);
    c->add_flag("--record", m_record,
        "Keep the run in the history (maskscope-cli history), as --record=TITLE under a title");
}

ExportPlan SegmentCommand::exportPlan() const {
    ExportPlan plan;
    plan.folder = m_out.empty() ? "." : m_out;
    plan.existing = m_force ? Existing::Replace : Existing::Keep;
    plan.replacing = "overwrite it (--force)";
    plan.onWritten = [this](const std::filesystem::path& file) {
        (json() ? std::cerr : std::cout) << "wrote " << oneLine(file.string()) << '\n';
    };
    for (const std::string& name : m_formats)
        if (const auto format = exportFormatFrom(name))
            plan.formats.push_back(*format);
        else
            throw Failure(ErrorKind::Usage,
                "--format cannot be \"" + name
                    + "\": give png, coco, labelme, yolo, svg or overlay.");
    if (plan.formats.empty())
        plan.formats = {ExportFormat::Png};
    return plan;
}

void SegmentCommand::refuseClashingNames() const {
    std::map<std::string, std::filesystem::path> byStem;
    for (const auto& image : m_images)
        if (const auto [other, isNew] = byStem.emplace(image.stem().string(), image); !isNew)
            throw Failure(ErrorKind::Usage,
                "Outputs of " + other->second.string() + " and " + image.string()
                    + " would have the same names: run them with different --out folders.");
}

RunHeader SegmentCommand::header(
    const Engine& engine, const Request& request, const std::filesystem::path& path) const {
    const Image& image = *request.images.front();
    const EngineOptions chosen = m_request.engine();
    RunHeader header = headerOf(request);
    header.title = m_record == kUntitled ? "" : m_record;
    header.started = utcNow();
    header.programVersion = MASKSCOPE_VERSION;
    header.machine = thisMachine(chosen.threads);
    header.device = chosen.device;
    header.modelName = engine.info().name;
    header.modelDigest = engine.info().digest;
    header.trainingPixels = engine.info().trainingPixels;
    header.modelFolder = std::filesystem::absolute(chosen.model).string();
    header.image
        = {std::filesystem::absolute(path).string(), image.width, image.height, digestOf(image)};
    return header;
}

int SegmentCommand::runOne(
    Engine& engine, Request& request, std::size_t index, SegmentVoice voice) const {
    const std::filesystem::path& path = m_images[index];
    const auto image = std::make_shared<const Image>(readImage(path));
    for (const std::string& note : image->source.notes)
        std::cerr << "maskscope-cli: " << oneLine(note) << '\n';
    MaskedPicture output{image, path, path.stem().string(), {}};
    const bool speaks = voice != SegmentVoice::None;
    if (exporting() && speaks)
        checkExport({output}, exportPlan());
    request.number = index + 1;
    request.images = {image};
    if (voice == SegmentVoice::Text && m_images.size() > 1)
        std::cout << oneLine(path.string()) << '\n';
    Narrator narrator(voice, static_cast<int>(index), &engine);
    std::optional<RunRecorder> recorder;
    if (!m_record.empty() && speaks)
        recorder.emplace(header(engine, request, path));
    const auto result = engine.run(request, [&](const Event& event) {
        narrator(event);
        if (recorder)
            (*recorder)(event);
    });
    const int kept = recorder ? keepRun(recorder->take(), json()) : 0;
    const auto& report = result.value();
    if (voice == SegmentVoice::Text) {
        if (!report->answer.empty())
            std::cout << '\n';
        printReport(*report, narrator.totalMs());
    }
    if (report->answerCut && speaks)
        std::cerr << "maskscope-cli: the answer was cut after " << m_request.maxNewTokens()
                  << " tokens; --max-new-tokens allows more.\n";
    const std::string remark = sizeRemark(report->patches, engine.info().trainingPixels);
    if (!remark.empty() && speaks)
        std::cerr << "maskscope-cli: " << remark << '\n';
    // What is half done must not look like a result.
    if (exporting() && speaks && report->outcome == Outcome::Finished) {
        output.masks = report->masks;
        exportMasks({output}, exportPlan());
    }
    return kept;
}

int SegmentCommand::run() const {
    const Interrupt interrupt;
    Request request = m_request.request();
    request.settings.logits = m_record.empty() ? LogitRecord::Off : LogitRecord::Digests;
    request.stop = interrupt.stop();
    exportPlan(); // a format that does not exist is told before anything is run
    if (exporting())
        refuseClashingNames();

    SegmentVoice voice = json() ? SegmentVoice::Json : SegmentVoice::Text;
    std::optional<ProcessPlace> place;
    if (m_worker) {
        place = m_worker->place();
        RingWorker::spread(request, *place);
        voice = place->rank == 0 ? voice : SegmentVoice::None;
    }
    Narrator loading(voice, 0, nullptr);
    const auto engine = Engine::create(m_request.engine(), std::ref(loading)).value();
    if (place)
        try {
            const auto link
                = m_worker->join(*engine, request, m_images, m_request.engine().model, *place);
            if (link && voice != SegmentVoice::None)
                tellLink(*link, json());
        } catch (const Cancelled&) {
            return kInterruptedExitCode;
        }
    const int exitCode = runAll(*engine, request, voice);
    if (request.stop.stop_requested())
        return kInterruptedExitCode;
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCode;
}

int SegmentCommand::runAll(Engine& engine, Request& request, SegmentVoice voice) const {
    int exitCode = 0;
    for (std::size_t i = 0; i < m_images.size() && !request.stop.stop_requested(); ++i)
        try {
            if (const int code = runOne(engine, request, i, voice); exitCode == 0)
                exitCode = code;
        } catch (const Failure& failure) {
            tell(failure.error(), json(), static_cast<int>(i));
            exitCode = exitCode ? exitCode : exitCodeOf(failure.kind());
            // It need not have happened to the other ranks, which would go on with this input.
            const bool isOwn
                = failure.kind() == ErrorKind::Memory || failure.kind() == ErrorKind::Device;
            if (m_worker && isOwn)
                break;
        }
    return exitCode;
}

} // namespace maskscope
