// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_command.h"

#include "core/base/error.h"

#include <CLI/CLI.hpp>
#include <iostream>

namespace maskscope {

BenchCommand::BenchCommand(CLI::App& app)
    : Command(app, "bench", "Measure time and memory of a part",
        "maskscope-cli bench decoder --patches 1024,3952 --paths mha,sdpa")
    , m_prefill(*this)
    , m_decode(*this)
    , m_decoder(*this)
    , m_image(*this)
    , m_ring(*this)
    , m_startup(*this)
    , m_telemetry(*this) {
    options().require_subcommand(1);
}

std::vector<const Command*> BenchCommand::parts() const {
    return {&m_prefill, &m_decode, &m_decoder, &m_image, &m_ring, &m_startup, &m_telemetry};
}

int BenchCommand::run() const {
    int exitCode = 0;
    for (const Command* part : parts())
        if (part->chosen())
            exitCode = part->run();
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return exitCode;
}

} // namespace maskscope
