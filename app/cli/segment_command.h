// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/request_options.h"
#include "app/cli/ring_worker.h"
#include "core/engine/engine.h"
#include "core/engine/request.h"
#include "core/history/run_header.h"
#include "core/mask/mask_export.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// Where the ranks of a ring are.
enum class RankPlace {
    Threads, ///< in this process, if the request wants them
    Processes, ///< this process is one of them
};

/// How a command tells what becomes of a request.
enum class SegmentVoice { Text, Json, None };

/// `segment IMAGE… -p TEXT`: the main job. All inputs are run one after the other on one engine; an
/// input that cannot be read does not keep the others from being done.
class SegmentCommand final : public Command {
public:
    /// With Processes it is `ring-worker`: the same job, as one rank of a ring over processes, of
    /// which rank 0 tells and writes the results.
    SegmentCommand(CLI::App& app, RankPlace ranks);

    int run() const override;

private:
    /// The exit code.
    int runAll(Engine& engine, Request& request, SegmentVoice voice) const;
    int runOne(Engine& engine, Request& request, std::size_t index, SegmentVoice voice) const;
    RunHeader header(
        const Engine& engine, const Request& request, const std::filesystem::path& path) const;
    bool exporting() const { return !m_out.empty() || !m_formats.empty(); }
    ExportPlan exportPlan() const;
    void refuseClashingNames() const;

    std::vector<std::filesystem::path> m_images;
    RequestOptions m_request;
    std::string m_out;
    std::vector<std::string> m_formats;
    bool m_force = false;
    std::string m_record; ///< title; empty without --record
    std::optional<RingWorker> m_worker; ///< of ring-worker
};

} // namespace maskscope
