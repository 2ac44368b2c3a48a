// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
class Option;
}

namespace maskscope {

/// How much a command's runs may take: --memory-limit and --no-preflight.
class MemoryOptions {
public:
    /// Adds them to `command`, which outlives it.
    explicit MemoryOptions(CLI::App& command);
    MemoryOptions(const MemoryOptions&) = delete;
    MemoryOptions& operator=(const MemoryOptions&) = delete;

    std::optional<std::int64_t> limit() const; ///< throws Failure(Usage)
    Preflight preflight() const { return m_noPreflight ? Preflight::Off : Preflight::On; }

private:
    CLI::Option* m_given;
    std::string m_limit;
    bool m_noPreflight = false;
};

} // namespace maskscope
