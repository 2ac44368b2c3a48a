// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_command.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/compare/figures_table.h"
#include "core/compare/report_html.h"
#include "core/compare/report_json.h"
#include "core/compare/report_text.h"
#include "core/compare/run_process.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

namespace maskscope {

namespace {

constexpr std::size_t kMostColumn = 34; ///< letters of a column of the table

void refuseExisting(const std::filesystem::path& file, bool force) {
    if (!file.empty() && !force && std::filesystem::exists(file))
        throw Failure(ErrorKind::Input,
            file.string() + " exists already: choose another name, or --force to replace it.");
}

void printTable(const FiguresTable& table) {
    std::vector<std::vector<std::string>> lines{{""}};
    for (const std::string& column : table.columns)
        lines.front().push_back(printable(column, kMostColumn));
    for (const FiguresTable::Row& row : table.rows) {
        lines.push_back({row.name});
        for (const std::string& cell : row.cells)
            lines.back().push_back(printable(cell, kMostColumn));
    }
    std::vector<std::size_t> widths(lines.front().size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i)
            text += line[i] + std::string(widths[i] - line[i].size() + 2, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        std::cout << text << '\n';
    }
}

/// That of the first run that failed; 0 where all have a result.
int exitCodeOf(const std::vector<ComparedRuns>& compared) {
    for (const ComparedRuns& runs : compared)
        for (const RunRecord& run : runs.runs)
            if (const Error* error = errorOf(run))
                return exitCodeOf(error->kind);
    return 0;
}

} // namespace

CompareCommand::CompareCommand(CLI::App& app)
    : Command(app, "compare", "Run the same request in several ways and tell what differs",
        "maskscope-cli compare cup.jpg -p \"the cup\" --config mha --config sdpa,kv-cache=off"
        " --repeats 3 --html comparison.html")
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
    c->add_option("--html", m_html, "Write a report that a browser shows, in one file")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_option("--text", m_text, "Write the text of a change request (Markdown)")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_flag("--force", m_force, "Overwrite existing files");
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
        bar.show(plan.configurations[i].title, fraction);
    };
    sink.onEvent = [](std::size_t, const Event&) {};
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

void CompareCommand::print(const std::vector<ComparedRuns>& compared) const {
    std::cout << oneLine(circumstancesOf(compared.front())) << "\n\n";
    printTable(figuresOf(compared));
    std::cout << '\n';
    const std::vector<Comparison> comparisons = comparisonsOf(compared);
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        std::cout << oneLine(compared[i + 1].header.title) << " against "
                  << oneLine(compared.front().header.title) << " (" << nameOf(comparisons[i].kind)
                  << "): " << oneLine(comparisons[i].sentence) << '\n';
}

void CompareCommand::write(const std::filesystem::path& file, const std::string& content) const {
    AtomicFile output(file);
    output.write(content);
    output.commit(m_force ? Existing::Replace : Existing::Keep);
    (json() ? std::cerr : std::cout) << "wrote " << oneLine(file.string()) << '\n';
}

void CompareCommand::writeReports(
    const std::vector<ComparedRuns>& compared, const Image& image) const {
    if (!m_html.empty())
        write(m_html, htmlReport(compared, image));
    if (!m_text.empty())
        write(m_text, changeRequestOf(compared));
}

int CompareCommand::run() const {
    const ComparisonPlan plan = this->plan();
    refuseExisting(m_html, m_force);
    refuseExisting(m_text, m_force);
    const Image image = readImage(m_image);
    std::vector<ComparedRuns> compared;
    try {
        compared = measured(plan);
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    if (json())
        std::cout << lineOf(summaryJson(compared)) << '\n';
    else
        print(compared);
    for (const std::string& failure : failuresOf(compared))
        std::cerr << "maskscope-cli: " << oneLine(failure) << '\n';
    writeReports(compared, image);
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCodeOf(compared);
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
