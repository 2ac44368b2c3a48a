// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_command.h"

#include "app/cli/arguments.h"
#include "app/cli/past_run.h"
#include "app/cli/terminal.h"
#include "app/run_machine.h"
#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/compare/report_json.h"
#include "core/compare/run_process.h"
#include "core/engine/event_json.h"
#include "core/engine/request_check.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

namespace maskscope {

namespace {

/// That of the first run that failed; 0 where all have a result.
int exitCodeOf(const std::vector<ComparedRuns>& compared) {
    for (const ComparedRuns& runs : compared)
        for (const RunRecord& run : runs.runs)
            if (const Error* error = errorOf(run))
                return exitCodeOf(error->kind);
    return 0;
}

/// What the processes of the runs would refuse, each after loading the model.
void checkPlan(const ComparisonPlan& plan, const Image& image) {
    const auto shared = std::make_shared<const Image>(image);
    for (const RunHeader& header : plan.configurations) {
        if (firstInvalidByte(header.image.path) != std::string::npos)
            throw Failure(ErrorKind::Input,
                printable(header.image.path)
                    + " has a name that is not UTF-8, which the runs' processes cannot be told: "
                      "give it another one.");
        Request request = requestOf(header);
        request.images = {shared};
        checkRequest(request);
    }
}

} // namespace

CompareCommand::CompareCommand(CLI::App& app)
    : Command(app, "compare", "Run the same request in several ways and tell what differs",
        "maskscope-cli compare cup.jpg -p \"the cup\" --config mha --config sdpa,kv-cache=off"
        " --repeats 3 --html comparison.html")
    , m_output(options())
    , m_request(options(), "compare") {
    CLI::App* c = &options();
    c->add_option("image", m_image, "Picture to look at")->required()->type_name("IMAGE");
    c->add_option("--config", m_configurations,
         "A way to run it: a path of the attention and settings, such as sdpa,kv-cache=off;"
         " 2 to 4 of them")
        ->required()
        ->allow_extra_args(false)
        ->type_name("PATH[,KEY=VALUE]...");
    c->add_option("--repeats", m_repeats, "Runs of each, in turns; times are their medians")
        ->check(CLI::Range(1, 100));
    c->add_flag("--record", m_record,
        "Keep the first run of each in the history, as --record=TITLE under a title");
}

ComparisonPlan CompareCommand::plan() const {
    Request request = m_request.request();
    const EngineOptions engine = m_request.engine();
    auto& sampling = request.settings.sampling;
    if (!sampling.seed)
        sampling.seed = std::random_device{}();
    ComparisonPlan plan{{}, m_repeats};
    for (const std::string& text : m_configurations) {
        RunHeader header = headerOf(request);
        header.title = text;
        header.settings = configurationFrom(text, request.settings);
        header.device = engine.device;
        header.modelFolder = std::filesystem::absolute(engine.model).string();
        header.image.path = std::filesystem::absolute(m_image).string();
        plan.configurations.push_back(std::move(header));
    }
    return plan;
}

std::vector<ComparedRuns> CompareCommand::measured(const ComparisonPlan& plan) const {
    const Interrupt interrupt;
    ProgressBar bar;
    std::vector<int> repeats(plan.configurations.size(), 0);
    ComparisonSink sink;
    sink.onBegin = [&](std::size_t i, int, double fraction) {
        bar.begin(plan.configurations[i].title, fraction);
    };
    sink.onEvent = [&](std::size_t, const Event& event) {
        if (const auto* began = std::get_if<StageBegan>(&event.payload))
            bar.show(nameOf(began->stage));
    };
    sink.onRun = [&](std::size_t i, const RunRecord& run) {
        bar.clear();
        const int repeat = repeats[i]++;
        if (json())
            std::cout << lineOf(resultJson(run, repeat)) << '\n' << std::flush;
    };
    const auto runOne
        = [program = thisProgram()](const RunHeader& header, const EventSink& onEvent,
              const std::stop_token& stop) { return runInChild(program, header, onEvent, stop); };
    return runComparison(plan, runOne, sink, interrupt.stop().get_token());
}

int CompareCommand::keep(const std::vector<ComparedRuns>& compared, const Image& image) const {
    int exitCode = 0;
    for (const ComparedRuns& runs : compared) {
        RunRecord record = runs.first();
        if (record.header.started.empty()) { // it failed before it could tell
            record.header.started = utcNow();
            record.header.programVersion = MASKSCOPE_VERSION;
            record.header.machine = thisMachine(record.header.settings.threads);
            record.header.image.width = image.width;
            record.header.image.height = image.height;
            record.header.image.digest = digestOf(image);
        }
        if (m_record != kUntitled)
            record.header.title = m_record + ": " + runs.header.title;
        if (const int code = keepRun(record, json()); exitCode == 0)
            exitCode = code;
    }
    return exitCode;
}

int CompareCommand::run() const {
    const ComparisonPlan plan = this->plan();
    m_output.check();
    const Image image = readImage(m_image);
    checkPlan(plan, image);
    std::vector<ComparedRuns> compared;
    try {
        compared = measured(plan);
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    m_output.tell(compared, json());
    m_output.write(
        compared, [&] { return image; }, json());
    const int kept = m_record.empty() ? 0 : keep(compared, image);
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    const int failed = exitCodeOf(compared);
    return failed != 0 ? failed : kept;
}

ServeRunCommand::ServeRunCommand(CLI::App& app)
    : Command(app, std::string(kRunCommand), "", "") {
    options().group("");
    options().add_option("specification", m_specification)->required();
}

int ServeRunCommand::run() const {
    serveRun(m_specification, readImage, [](const std::string& line) {
        std::cout << line << '\n' << std::flush;
    });
    return 0;
}

} // namespace maskscope
