// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/engine/engine.h"
#include "core/engine/request.h"
#include "core/mask/mask_export.h"

#include <filesystem>
#include <optional>
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
    void runOne(Engine& engine, Request& request, std::size_t index) const;
    EngineOptions engineOptions() const;
    Request request() const;
    bool exporting() const { return !m_out.empty() || !m_formats.empty(); }
    ExportPlan exportPlan() const;
    void refuseClashingNames() const;

    std::vector<std::filesystem::path> m_images;
    std::string m_text;
    std::string m_model;
    std::vector<std::string> m_points;
    std::vector<std::string> m_boxes;
    int m_meaning = 0;
    std::string m_attention;
    std::string m_kvCache = "on";
    std::string m_maskPass = "stream";
    bool m_noPreflight = false;
    std::string m_device = "cpu";
    std::string m_dtype = "auto";
    std::string m_pixels;
    int m_maxNewTokens = 256;
    double m_temperature = 0;
    int m_topK = 0;
    double m_topP = 1;
    std::optional<std::uint64_t> m_seed;
    std::string m_memoryLimit;
    int m_threads = 0;
    std::string m_out;
    std::vector<std::string> m_formats;
    bool m_force = false;
};

} // namespace maskscope
