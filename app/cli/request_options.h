// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/memory_options.h"
#include "core/engine/engine.h"
#include "core/engine/request.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}

namespace maskscope {

/// The options of every command that runs requests: what is looked for, how, and by which model.
class RequestOptions {
public:
    /// Adds them to `command`, which outlives it and is called `name` in sentences.
    RequestOptions(CLI::App& command, std::string name);
    RequestOptions(const RequestOptions&) = delete;
    RequestOptions& operator=(const RequestOptions&) = delete;

    /// Throw Failure(Usage) with a sentence.
    EngineOptions engine() const;
    Request request() const; ///< without images

    int maxNewTokens() const { return m_maxNewTokens; }

private:
    void addQuestion(CLI::App& command);
    void addSettings(CLI::App& command);

    std::string m_name;
    CLI::Option* m_prompt = nullptr;
    std::string m_text;
    std::string m_model;
    std::vector<std::string> m_points;
    std::vector<std::string> m_boxes;
    int m_meaning = 0;
    std::string m_attention;
    std::string m_ringDevices;
    std::string m_kvCache = "on";
    std::string m_maskPass = "stream";
    std::string m_device = "cpu";
    std::string m_dtype = "auto";
    std::string m_pixels;
    int m_maxNewTokens = 256;
    double m_temperature = 0;
    int m_topK = 0;
    double m_topP = 1;
    std::optional<std::uint64_t> m_seed;
    MemoryOptions m_memory;
    int m_threads = 0;
};

} // namespace maskscope
