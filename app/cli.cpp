// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/anatomy_command.h"
#include "app/cli/audit_command.h"
#include "app/cli/bench_command.h"
#include "app/cli/compare_command.h"
#include "app/cli/history_command.h"
#include "app/cli/info_command.h"
#include "app/cli/inspect_command.h"
#include "app/cli/segment_command.h"
#include "app/cli/sweep_command.h"
#include "app/cli/terminal.h"
#include "app/cli/tokenize_command.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace maskscope;

int fail(const Error& error, bool json) {
    tell(error, json);
    return exitCodeOf(error.kind);
}

int runGuarded(const Command& command) {
    try {
        return command.run();
    } catch (const Failure& failure) {
        return fail(failure.error(), command.json());
    } catch (const std::exception& error) {
        return fail(
            {ErrorKind::Internal,
                std::string("This is a defect of Maskscope, please report it: ") + error.what()},
            command.json());
    }
}

/// "maskscope-cli history list", as far as the words that were understood go.
std::string chosenPart(const CLI::App& app) {
    const std::vector<const CLI::App*> chosen
        = app.get_subcommands([](const CLI::App* command) { return command->parsed(); });
    return app.get_name() + (chosen.empty() ? "" : ' ' + chosenPart(*chosen.front()));
}

/// What CLI11 says of a value, in the words of this program.
std::string sentenceOf(const CLI::ParseError& error) {
    const std::string text = error.what();
    constexpr std::string_view kConversion = "Could not convert: ", kMissing = " missing";
    const auto equals = text.find(" = ");
    if (text.starts_with(kConversion) && equals != std::string::npos)
        return text.substr(kConversion.size(), equals - kConversion.size()) + " cannot be \""
            + text.substr(equals + 3) + "\".";
    // "--model: 1 required DIR missing"
    const auto colon = text.find(": 1 required ");
    if (colon != std::string::npos && text.ends_with(kMissing))
        return text.substr(0, colon) + " needs a value.";
    // What the validators of this program say follows on the option's name.
    for (const std::string_view words : {": cannot be \"", ": is given empty"})
        if (const auto at = text.find(words); at != std::string::npos)
            return text.substr(0, at) + text.substr(at + 1) + '.';
    return text;
}

/// LibTorch's own tear-down takes longer than a person who pressed Ctrl+C wants to wait.
int ended(int exitCode) {
    if (exitCode == kInterruptedExitCode) {
        std::cout.flush();
        std::quick_exit(exitCode);
    }
    return exitCode;
}

int run(int argc, char** argv) {
    CLI::App app("Maskscope: segmentation by words, clicks and boxes, with its memory measured.",
        "maskscope-cli");
    app.set_version_flag("--version", MASKSCOPE_VERSION);
    app.require_subcommand(1);
    // A reader that has seen enough does not keep the files from being written.
    std::signal(SIGPIPE, SIG_IGN);
    // A file that may not grow further is an error of writing, told with its name.
    std::signal(SIGXFSZ, SIG_IGN);
    const SegmentCommand segment(app, RankPlace::Threads);
    const InspectCommand inspect(app);
    const TokenizeCommand tokenize(app);
    const InfoCommand info(app);
    const SweepCommand sweep(app);
    const AuditCommand audit(app);
    const AnatomyCommand anatomy(app);
    const CompareCommand compare(app);
    const BenchCommand bench(app);
    const HistoryCommand history(app);
    const SegmentCommand ringWorker(app, RankPlace::Processes);
    const MeasurePointCommand measurePoint(app);
    const ServeRunCommand serveRun(app);
    try {
        // "--help" behind a command that does not exist would otherwise count as no command at all.
        const auto isFirst = [&](const CLI::App* command) { return command->check_name(argv[1]); };
        if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(isFirst).empty())
            throw CLI::ExtrasError({argv[1]});
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        const std::span<char*> words(argv, static_cast<std::size_t>(argc));
        const bool json = std::ranges::any_of(
            words, [](const char* word) { return std::string_view(word) == "--json"; });
        const std::string command = chosenPart(app);
        return fail({ErrorKind::Usage,
                        sentenceOf(error) + " (" + command + " --help lists what there is.)"},
            json);
    }
    for (const Command* command :
        std::initializer_list<const Command*>{&segment, &inspect, &tokenize, &info, &sweep, &audit,
            &anatomy, &compare, &bench, &history, &ringWorker, &measurePoint, &serveRun})
        if (command->chosen())
            return ended(runGuarded(*command));
    return exitCodeOf(ErrorKind::Usage);
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "maskscope-cli: %s\n", error.what());
        return exitCodeOf(ErrorKind::Internal);
    }
}
