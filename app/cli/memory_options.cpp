// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/memory_options.h"

#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>

namespace maskscope {

MemoryOptions::MemoryOptions(CLI::App& command)
    : m_given(command
                  .add_option("--memory-limit", m_limit,
                      "Most live tensor bytes: 512MiB, 2GB (default: 90 % of what is free)")
                  ->type_name("SIZE")) {
    command.add_flag(
        "--no-preflight", m_noPreflight, "Run even where the predicted peak is too much");
}

std::optional<std::int64_t> MemoryOptions::limit() const {
    if (m_given->count() == 0)
        return std::nullopt;
    return byteCountFrom(m_limit, "--memory-limit");
}

} // namespace maskscope
