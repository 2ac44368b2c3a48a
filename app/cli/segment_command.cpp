// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/segment_command.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

/// What the person sees while one input runs: JSON lines, or the answer as it comes.
class Narrator {
public:
    Narrator(bool json, int imageIndex)
        : m_json(json)
        , m_imageIndex(imageIndex) { }

    void operator()(const Event& event) {
        if (std::holds_alternative<Done>(event.payload))
            m_totalMs = event.tMs;
        if (m_json) {
            // A failure is told once, where it is caught.
            if (std::holds_alternative<Failed>(event.payload))
                return;
            if (const auto line = jsonOf(event, m_imageIndex); !line.is_null())
                std::cout << lineOf(line) << '\n' << std::flush;
            return;
        }
        if (const auto* progress = std::get_if<StageProgress>(&event.payload)) {
            m_bar.show(nameOf(progress->stage), progress->fraction);
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
    bool m_json;
    int m_imageIndex;
    double m_totalMs = 0;
    int m_masks = 0; ///< of the answer so far
    ProgressBar m_bar;
};

void printStages(const Report& report, double totalMs) {
    std::cout << std::fixed << std::setprecision(0);
    for (const auto& [stage, bytes] : report.extraPeakBytes)
        std::cout << "  " << std::left << std::setw(9) << nameOf(stage) << std::right
                  << std::setw(7) << report.ms.at(stage) << " ms   +" << bytesText(bytes) << '\n';
    std::cout << "  " << std::left << std::setw(9) << "in all" << std::right << std::setw(7)
              << totalMs << " ms";
    if (!report.tokens.empty())
        std::cout << ", first token after " << report.timeToFirstTokenMs << " ms, "
                  << report.tokensPerSecond << " tokens/s";
    std::cout << "; predicted peak +" << bytesText(report.predictedPeakBytes) << '\n';
}

void printMask(const Mask& mask) {
    std::cout << "mask " << mask.index + 1 << ": "
              << (mask.label.empty() ? "" : oneLine(mask.label) + ", ");
    if (mask.area == 0)
        std::cout << "empty, no pixel is above the threshold\n";
    else
        std::cout << mask.area << " px, box " << mask.bbox[0] << ',' << mask.bbox[1] << ' '
                  << mask.bbox[2] << 'x' << mask.bbox[3] << ", score "
                  << std::lround(mask.score * 100) << " %\n";
}

void printSummary(const Report& report, double totalMs) {
    if (!report.answer.empty())
        std::cout << '\n';
    for (const auto& mask : report.masks)
        printMask(*mask);
    for (const auto& mask : report.candidates)
        if (report.candidates.size() > 1)
            std::cout << "  --meaning " << mask->index << ": " << mask->area << " px, score "
                      << std::lround(mask->score * 100) << " %\n";
    std::cout << "attention " << nameOf(report.attention.used);
    if (!report.attention.reason.empty())
        std::cout << " (" << report.attention.reason << ')';
    std::cout << ", " << nameOf(report.precision) << " on " << report.device << ", "
              << report.patches << " patches; time and extra peak of each stage:\n";
    printStages(report, totalMs);
    if (report.outcome == Outcome::Cancelled)
        std::cout << "stopped; what was finished is kept\n";
}

} // namespace

SegmentCommand::SegmentCommand(CLI::App& app)
    : Command(app, "segment", "Find what a request names, or what a click or box shows",
        "maskscope-cli segment cup.jpg -p \"the cup\" --out out --format overlay")
    , m_request(options(), "segment") {
    CLI::App* c = &options();
    c->add_option("images", m_images, "Pictures to look at")->required()->type_name("IMAGE");
    c->add_option("--out", m_out, "Folder for the files")->check(notEmpty())->type_name("DIR");
    c->add_option(
         "--format", m_formats, "png, coco, labelme, yolo, svg, overlay; comma or repeated")
        ->delimiter(',')
        ->allow_extra_args(false);
    c->add_flag("--force", m_force, "Overwrite existing files");
}

ExportPlan SegmentCommand::exportPlan() const {
    ExportPlan plan;
    plan.folder = m_out.empty() ? "." : m_out;
    plan.existing = m_force ? Existing::Replace : Existing::Keep;
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

void SegmentCommand::runOne(Engine& engine, Request& request, std::size_t index) const {
    const std::filesystem::path& path = m_images[index];
    const auto image = std::make_shared<const Image>(readImage(path));
    for (const std::string& note : image->source.notes)
        std::cerr << "maskscope-cli: " << oneLine(note) << '\n';
    MaskedPicture output{image, path, path.stem().string(), {}};
    if (exporting())
        checkExport({output}, exportPlan());
    request.number = index + 1;
    request.images = {image};
    if (!json() && m_images.size() > 1)
        std::cout << oneLine(path.string()) << '\n';
    Narrator narrator(json(), static_cast<int>(index));
    const auto report = engine.run(request, std::ref(narrator)).value();
    if (!json())
        printSummary(*report, narrator.totalMs());
    if (report->answerCut)
        std::cerr << "maskscope-cli: the answer was cut after " << m_request.maxNewTokens()
                  << " tokens; --max-new-tokens allows more.\n";
    // What is half done must not look like a result.
    if (!exporting() || report->outcome == Outcome::Cancelled)
        return;
    output.masks = report->masks;
    exportMasks({output}, exportPlan());
}

int SegmentCommand::run() const {
    const Interrupt interrupt;
    Request request = m_request.request();
    request.stop = interrupt.stop();
    exportPlan(); // a format that does not exist is told before anything is run
    if (exporting())
        refuseClashingNames();

    Narrator loading(json(), 0);
    const auto engine = Engine::create(m_request.engine(), std::ref(loading)).value();
    int exitCode = 0;
    for (std::size_t i = 0; i < m_images.size() && !request.stop.stop_requested(); ++i)
        try {
            runOne(*engine, request, i);
        } catch (const Failure& failure) {
            tell(failure.error(), json(), static_cast<int>(i));
            exitCode = exitCode ? exitCode : exitCodeOf(failure.kind());
        }
    if (request.stop.stop_requested())
        return kInterruptedExitCode;
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCode;
}

} // namespace maskscope
