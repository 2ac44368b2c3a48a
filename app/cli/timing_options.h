// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/spread.h"
#include "core/engine/request.h"
#include "core/measure/repeats.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace CLI {
class App;
}

namespace maskscope {

/// The options of every part that is timed: whose, how, and how often.
class TimingOptions {
public:
    /// Adds them to `command`, which outlives it.
    explicit TimingOptions(CLI::App& command);
    TimingOptions(const TimingOptions&) = delete;
    TimingOptions& operator=(const TimingOptions&) = delete;

    std::filesystem::path model() const;
    Precision precision() const; ///< throws Failure(Usage)
    int threads() const { return m_threads; }
    const Repeats& repeats() const { return m_repeats; }

private:
    std::string m_model;
    std::string m_dtype = "fp32";
    int m_threads = 0;
    Repeats m_repeats;
};

nlohmann::ordered_json jsonOf(const Spread& spread); ///< {"median", "low", "high"}
std::string rangeText(const Spread& spread); ///< "3.21 to 4.56"

} // namespace maskscope
