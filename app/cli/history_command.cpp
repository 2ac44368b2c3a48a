// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history_command.h"

#include "app/cli/arguments.h"
#include "app/cli/past_run.h"
#include "app/cli/print_past_run.h"
#include "app/cli/terminal.h"
#include "app/history_file.h"
#include "core/base/error.h"
#include "core/base/json_field.h"
#include "core/compare/report_json.h"
#include "core/engine/event_json.h"
#include "core/history/run_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const RunSummary& run) {
    return {{"event", "past_run"}, {"id", run.id}, {"started", run.started}, {"title", run.title},
        {"model", run.model}, {"device", run.device}, {"processor", run.processor},
        {"request", run.request}, {"points", run.points}, {"boxes", run.boxes},
        {"image", run.imagePath}, {"image_digest", run.imageDigest}, {"attention", run.attention},
        {"kv_cache", run.kvCache}, {"dtype", run.precision}, {"patches", orNull(run.patches)},
        {"outcome", nameOf(run.outcome)}, {"error", run.error},
        {"extra_peak_bytes", orNull(run.extraPeakBytes)},
        {"mask_peak_bytes", orNull(run.maskPeakBytes)}, {"ms", run.totalMs},
        {"tokens_per_s", orNull(run.tokensPerSecond)}};
}

/// What was done to a run, as a line of JSON or for people.
void confirm(bool json, const char* event, std::int64_t id, const std::string& sentence,
    const std::filesystem::path& file = {}) {
    if (!json) {
        std::cout << sentence << '\n';
        return;
    }
    Json line = {{"event", event}, {"id", id}};
    if (!file.empty())
        line["file"] = file.string();
    std::cout << lineOf(line) << '\n';
}

} // namespace

HistoryCommand::HistoryCommand(CLI::App& app)
    : Command(app, "history", "List past runs, show, compare, export, import and delete them",
        "maskscope-cli history compare 12 h200.maskrun --html comparison.html") {
    CLI::App* c = &options();
    c->require_subcommand(0, 1);
    CLI::App* list
        = c->add_subcommand("list", "The runs, newest first (what happens without more)");
    m_show = c->add_subcommand("show", "One run; with --json all of its events");
    m_export
        = c->add_subcommand("export", "Write one run to a file that another machine can import");
    m_import = c->add_subcommand("import", "Take a run from such a file into the history");
    m_delete = c->add_subcommand("delete", "Delete runs for good");
    for (CLI::App* target : {c, list}) {
        target
            ->add_option("--find", m_words, "Only runs with this in request, title, image, device")
            ->type_name("TEXT");
        target->add_option("--most", m_most, "How many are listed")->check(CLI::Range(1, 1000000));
    }
    for (CLI::App* target : {m_show, m_export})
        target->add_option("id", m_id, "The run's number")
            ->required()
            ->check(wholeNumber(0, std::numeric_limits<std::int64_t>::max()))
            ->type_name("ID");
    m_compare = c->add_subcommand(
        "compare", "Tell what differs between two past runs, as compare does for new ones");
    m_compare->add_option("first", m_first, "A run's number, or a file that was exported")
        ->required()
        ->type_name("ID|FILE");
    m_compare->add_option("second", m_second, "The other")->required()->type_name("ID|FILE");
    m_output.emplace(*m_compare);
    m_delete->add_option("ids", m_ids, "The runs' numbers")
        ->required()
        ->check(wholeNumber(0, std::numeric_limits<std::int64_t>::max()))
        ->type_name("ID");
    for (CLI::App* target : {m_export, m_import})
        target->add_option("file", m_file, "The file, as a rule NAME.maskrun")
            ->required()
            ->type_name("FILE");
    m_export->add_flag("--force", m_force, "Overwrite an existing file");
    for (CLI::App* target : {list, m_show, m_export, m_import, m_compare, m_delete})
        target->fallthrough(); // --json may stand anywhere
    for (const auto& [target, example] : std::initializer_list<std::pair<CLI::App*, std::string>>{
             {list, "list --find cat --most 20"}, {m_show, "show 12"},
             {m_export, "export 12 h200.maskrun"}, {m_import, "import h200.maskrun"},
             {m_compare, "compare 12 h200.maskrun --html comparison.html"},
             {m_delete, "delete 12 13"}})
        target->footer("Example:\n  maskscope-cli history " + example);
}

int HistoryCommand::list() const {
    std::vector<RunSummary> runs;
    if (hasHistory())
        runs = RunStore(historyFile()).list({m_words, m_most});
    if (!json() && runs.empty()) {
        std::cout << (m_words.empty() ? "No run is in the history: segment --record keeps one.\n"
                                      : "No run in the history matches.\n");
        return 0;
    }
    if (!json()) {
        printPastRuns(runs);
        return 0;
    }
    for (const RunSummary& run : runs)
        std::cout << lineOf(jsonOf(run)) << '\n';
    return 0;
}

RunRecord HistoryCommand::load() const {
    return existingHistory(m_id).load(m_id);
}

int HistoryCommand::show() const {
    const RunRecord record = load();
    if (json())
        std::cout << linesOf(record);
    else
        printPastRun(record);
    return 0;
}

int HistoryCommand::exportRun() const {
    writeRunFile(load(), m_file, m_force ? Existing::Replace : Existing::Keep);
    confirm(json(), "exported", m_id, "wrote " + oneLine(m_file.string()), m_file);
    return 0;
}

int HistoryCommand::importRun() const {
    const RunRecord record = readRunFile(m_file);
    const std::int64_t id = RunStore(historyFile()).add(record);
    confirm(json(), "imported", id,
        "imported " + oneLine(m_file.string()) + " as run " + std::to_string(id), m_file);
    return 0;
}

int HistoryCommand::compare() const {
    m_output->check();
    const std::vector<ComparedRuns> compared{pastRunFrom(m_first), pastRunFrom(m_second)};
    if (json())
        for (const ComparedRuns& runs : compared)
            std::cout << lineOf(resultJson(runs.first(), 0)) << '\n';
    m_output->tell(compared, json());
    m_output->write(
        compared, [&] { return pictureOf(compared.front().first()); }, json());
    return 0;
}

int HistoryCommand::remove() const {
    std::vector<std::int64_t> ids = m_ids; // one that is named twice is one run
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    existingHistory(ids.front()).remove(ids);
    for (const std::int64_t id : ids)
        confirm(json(), "deleted", id, "deleted run " + std::to_string(id));
    return 0;
}

int HistoryCommand::run() const {
    const int exitCode = m_show->parsed() ? show()
        : m_export->parsed()              ? exportRun()
        : m_import->parsed()              ? importRun()
        : m_compare->parsed()             ? compare()
        : m_delete->parsed()              ? remove()
                                          : list();
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCode;
}

} // namespace maskscope
