// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/request_options.h"
#include "core/engine/engine.h"
#include "core/engine/request.h"
#include "core/history/run_header.h"
#include "core/mask/mask_export.h"

#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `segment IMAGE… -p TEXT`: the main job. All inputs are run one after the other on one engine; an
/// input that cannot be read does not keep the others from being done.
class SegmentCommand final : public Command {
public:
    explicit SegmentCommand(CLI::App& app);

    int run() const override;

private:
    int runOne(Engine& engine, Request& request, std::size_t index) const;
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
};

} // namespace maskscope
