// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/event_json.h"
#include "app/cli/info_command.h"
#include "app/cli/inspect_command.h"
#include "app/cli/segment_command.h"
#include "app/cli/terminal.h"
#include "app/cli/tokenize_command.h"
#include "core/base/error.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

namespace {

using namespace maskscope;

int fail(const Error& error, bool json) {
    tell(error, json);
    return exitCodeOf(error.kind);
}

template <class Command>
bool runIfChosen(const Command& command, int& exitCode) {
    if (!command.chosen())
        return false;
    try {
        exitCode = command.run();
    } catch (const Failure& failure) {
        exitCode = fail(failure.error(), command.json());
    } catch (const std::exception& error) {
        exitCode = fail(
            {ErrorKind::Internal,
                std::string("This is a defect of Maskscope, please report it: ") + error.what()},
            command.json());
    }
    return true;
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Maskscope: segmentation by words, clicks and boxes, with its memory measured.",
        "maskscope-cli");
    app.set_version_flag("--version", MASKSCOPE_VERSION);
    app.require_subcommand(1);
    const SegmentCommand segment(app);
    const InspectCommand inspect(app);
    const TokenizeCommand tokenize(app);
    const InfoCommand info(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        std::cerr << "maskscope-cli: " << printable(error.what())
                  << " (maskscope-cli --help lists what there is.)\n";
        return exitCodeOf(ErrorKind::Usage);
    }
    int exitCode = exitCodeOf(ErrorKind::Internal);
    runIfChosen(segment, exitCode) || runIfChosen(inspect, exitCode)
        || runIfChosen(tokenize, exitCode) || runIfChosen(info, exitCode);
    return exitCode;
}
