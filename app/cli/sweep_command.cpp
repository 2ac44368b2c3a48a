// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_command.h"

#include "app/cli/arguments.h"
#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/engine/event_json.h"
#include "core/engine/machine.h"
#include "core/measure/point_process.h"
#include "core/measure/sweep_file.h"
#include "core/measure/sweep_story.h"
#include "core/measure/sweep_text.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace maskscope {

namespace {

/// One unit for all of a column, so that the eye can compare.
std::string mebibytes(std::optional<std::int64_t> bytes) {
    if (!bytes)
        return "N/A";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f", double(*bytes) / (1 << 20));
    return text.data();
}

constexpr std::string_view kLegend
    = "extra peak  highest live tensor bytes during the layer above those before it\n"
      "predicted   the same from shapes alone\n"
      "over load   highest live tensor bytes above the state after loading: the input counts too\n"
      "process     growth of the process's resident memory in its first run; less than over load\n"
      "            where tensors found pages that the process had already\n"
      "time        median of the repeats\n";

void print(const SweepPoint& point) {
    const LayerFigures& f = point.figures;
    printRow("%-13s %8lld %12s %12s %12s %12s %11.1f", std::string(nameOf(point.path)).c_str(),
        static_cast<long long>(point.patches), mebibytes(f.extraPeakBytes).c_str(),
        mebibytes(f.predictedBytes).c_str(), mebibytes(f.overLoadBytes).c_str(),
        mebibytes(f.highWaterGrowthBytes).c_str(), f.ms);
    if (!f.rankPeakBytes.empty()) {
        std::vector<std::string> ranks;
        for (const std::int64_t bytes : f.rankPeakBytes)
            ranks.push_back(mebibytes(bytes));
        printRow("%-13s %8s %12s", "", "of ranks", joined(ranks).c_str());
    }
}

void printHeader(const SweepRecord& record) {
    const LayerShape& shape = record.plan.point.shape;
    std::cout << (shape.blocks > 0 ? std::to_string(shape.blocks) + " decoder blocks"
                                   : std::string("One attention layer"))
              << ", " << shape.heads << " heads, width " << shape.width << ", "
              << nameOf(shape.precision) << "; each point in a process of its own\n"
              << oneLine(record.machine) << '\n';
    printRow("%-13s %8s %12s %12s %12s %12s %11s", "path", "patches", "extra peak", "predicted",
        "over load", "process", "time");
    printRow("%-13s %8s %12s %12s %12s %12s %11s", "", "", "MiB", "MiB", "MiB", "MiB", "ms");
}

/// `option` holds whole numbers of patches.
std::vector<std::int64_t> sizesFrom(
    const std::vector<std::string>& texts, const std::string& option) {
    std::vector<std::int64_t> sizes;
    for (const std::string& text : texts) {
        std::int64_t size = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data(), end, size);
        if (error != std::errc{} || rest != end || size < 1 || size > kMostLayerPatches)
            throw Failure(ErrorKind::Usage,
                option + " cannot hold \"" + text + "\": give whole numbers from 1 to "
                    + std::to_string(kMostLayerPatches) + ", with commas.");
        sizes.push_back(size);
    }
    return sizes;
}

} // namespace

SweepCommand::SweepCommand(CLI::App& app)
    : Command(app, "sweep", "Measure what each attention path takes over the number of patches",
        "maskscope-cli sweep --patches 1024,1944,2560,3136,3952 --paths mha,sdpa,flash"
        " --predict 32120 --plot sweep.svg")
    , m_memory(options()) {
    CLI::App* c = &options();
    c->footer("What it prints:\n" + std::string(kLegend) + '\n' + c->get_footer());
    c->add_option("--patches", m_patches, "Numbers of patches, with commas")
        ->capture_default_str()
        ->delimiter(',')
        ->check(notEmpty())
        ->type_name("P,P,...");
    c->add_option("--paths", m_paths, "mha, sdpa, flash, ring, cpp-module, encoder-layer")
        ->capture_default_str()
        ->delimiter(',')
        ->check(notEmpty())
        ->type_name("PATH,...");
    c->add_option("--predict", m_predict, "Sizes that are predicted and not run")
        ->delimiter(',')
        ->check(notEmpty())
        ->type_name("P,P,...");
    c->add_option("--preset", m_preset,
         "lens-shape: 16 heads, width 1024, bf16, 0.5 to 3 MP, and 8 MP predicted")
        ->check(CLI::IsMember({"lens-shape"}));
    c->add_option("--heads", m_heads, "Attention heads")
        ->capture_default_str()
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--dim", m_width, "Width of a patch's vector")
        ->capture_default_str()
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--layers", m_layers, "Whole decoder blocks instead of one attention layer")
        ->check(CLI::Range(0, 1000));
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16")
        ->capture_default_str()
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    c->add_option("--device", m_device, "cpu");
    c->add_option("--ring-devices", m_ringDevices,
         "A device for each rank of the path ring (default: cpu,cpu)")
        ->check(notEmpty())
        ->type_name("DEVICE,...");
    c->add_option(
         "--threads", m_threads, "Threads of the computation (default: as the machine has)")
        ->check(CLI::Range(1, 1024));
    c->add_option("--repeats", m_repeats, "Repeats of which the time is the median")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    c->add_option("--plot", m_plot,
         "Write points, fits and predictions into a file: drawn (.svg, .png) or as .json; as .csv "
         "without the fits")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_flag("--force", m_force, "Overwrite an existing file");
}

SweepPlan SweepCommand::plan() const {
    if (m_device != "cpu")
        throw Failure(ErrorKind::Device,
            "The device " + m_device
                + " is not available: this build runs on the CPU, --device cpu.");
    SweepPlan plan;
    for (const std::string& name : m_paths)
        if (const auto path = layerPathFrom(name)) {
            if (std::ranges::find(plan.paths, *path) == plan.paths.end())
                plan.paths.push_back(*path);
        } else {
            throw Failure(ErrorKind::Usage,
                "--paths cannot hold \"" + name
                    + "\": give mha, sdpa, flash, ring, cpp-module or encoder-layer.");
        }
    plan.patches = sizesFrom(m_patches, "--patches");
    LayerShape& shape = plan.point.shape;
    shape.heads = m_heads;
    shape.width = m_width;
    shape.blocks = m_layers;
    shape.precision = precisionArgumentFrom(m_dtype);
    if (!m_ringDevices.empty())
        shape.ringDevices = ringDevicesFrom(m_ringDevices);
    if (m_preset == "lens-shape") {
        if (!given("--patches"))
            plan.patches = {1944, 3952, 7776, 11616};
        if (!given("--dtype"))
            shape.precision = Precision::BFloat16;
    }
    plan.point.threads = m_threads;
    plan.point.repeats = m_repeats;
    plan.point.preflight = m_memory.preflight();
    plan.point.memoryLimit = m_memory.limit();
    return plan;
}

std::vector<std::int64_t> SweepCommand::predictedSizes() const {
    if (!given("--predict") && m_preset == "lens-shape")
        return {32120};
    return sizesFrom(m_predict, "--predict");
}

void SweepCommand::tellFits(const SweepRecord& record) const {
    if (json()) {
        for (const SweepFit& fit : fitsOf(record.points))
            std::cout << jsonLineOf(fit) << '\n';
        return;
    }
    for (const auto& sentences : {lawsOf(record), storyOf(record)})
        for (const std::string& sentence : sentences)
            std::cout << (&sentence == &sentences.front() ? "\n" : "") << sentence << '\n';
}

void SweepCommand::tellPredictions(const std::vector<SweepPrediction>& predictions) const {
    if (!json() && !predictions.empty()) {
        printRow("\n%-13s %8s %12s %12s", "not run", "patches", "from shapes", "from the fit");
        printRow("%-13s %8s %12s %12s", "", "", "MiB", "MiB");
    }
    for (const SweepPrediction& prediction : predictions)
        if (json())
            std::cout << jsonLineOf(prediction) << '\n';
        else
            printRow("%-13s %8lld %12s %12s", std::string(nameOf(prediction.path)).c_str(),
                static_cast<long long>(prediction.patches),
                mebibytes(prediction.predictedBytes).c_str(),
                mebibytes(prediction.fittedBytes).c_str());
}

void SweepCommand::write(const SweepRecord& record) const {
    writeSweep(record, m_plot, m_force ? Existing::Replace : Existing::Keep);
    (json() ? std::cerr : std::cout) << "wrote " << oneLine(m_plot.string()) << '\n';
}

int SweepCommand::run() const {
    const Interrupt interrupt;
    SweepRecord record;
    const SweepPlan& plan = record.plan = this->plan();
    for (const LayerPath path : plan.paths)
        for (const std::int64_t patches : predictedSizes())
            checkLayer(pointAt(plan, path, patches).shape);
    if (!m_plot.empty())
        checkSweepFile(m_plot, m_force ? Existing::Replace : Existing::Keep);
    const MachineInfo machine = describeMachine();
    const int threads = m_threads > 0 ? m_threads : machine.threads;
    record.plan.point.threads = threads;
    record.machine = textOf(machine) + ", " + std::to_string(threads)
        + (threads == 1 ? " thread" : " threads");
    int exitCode = 0;
    bool headed = false;
    ProgressBar bar;
    const auto begin = [&](LayerPath path, std::int64_t patches, double fraction) {
        if (!std::exchange(headed, true)) {
            if (json())
                std::cout << jsonLineOf(record) << '\n' << std::flush;
            else
                printHeader(record);
        }
        bar.begin(std::string(nameOf(path)) + ' ' + std::to_string(patches), fraction);
    };
    const auto show = [&](const SweepPoint& point) {
        bar.clear();
        record.points.push_back(point);
        if (json())
            std::cout << jsonLineOf(point) << '\n' << std::flush;
        else
            print(point);
    };
    const auto end = [&](const SweepEnd& ended) {
        bar.clear();
        record.ends.push_back(ended);
        tell(ended.error, json());
        exitCode = exitCodeOf(ended.error.kind);
    };
    const auto measure
        = [program = thisProgram()](const LayerPoint& point, const std::stop_token& stop) {
              return measureInChild(program, point, stop);
          };
    try {
        runSweep(plan, measure, {begin, show, end}, interrupt.stop().get_token());
    } catch (const Cancelled&) {
        exitCode = kInterruptedExitCode; // what was finished is kept
    }
    record.predictions = predictionsOf(record, predictedSizes());
    tellFits(record);
    tellPredictions(record.predictions);
    if (!json() && !record.points.empty())
        std::cout << '\n' << kLegend;
    if (!m_plot.empty() && !record.points.empty())
        write(record);
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCode;
}

MeasurePointCommand::MeasurePointCommand(CLI::App& app)
    : Command(app, std::string(kPointCommand), "", "") {
    options().group("");
    options().add_option("specification", m_specification)->required();
}

int MeasurePointCommand::run() const {
    std::cout << servePoint(m_specification) << '\n' << std::flush;
    return 0;
}

} // namespace maskscope
