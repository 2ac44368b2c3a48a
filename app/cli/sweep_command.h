// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/memory_options.h"
#include "core/measure/sweep.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace maskscope {

/// `sweep`: what each attention path takes over the number of patches, and the laws behind it.
class SweepCommand : public Command {
public:
    explicit SweepCommand(CLI::App& app);
    int run() const override;

private:
    SweepPlan plan() const;
    std::vector<std::int64_t> predictedSizes() const;
    void tellFits(const SweepRecord& record) const;
    void tellPredictions(const std::vector<SweepPrediction>& predictions) const;
    void write(const SweepRecord& record) const;

    std::vector<std::string> m_patches{"1024", "1944", "2560", "3136", "3952"};
    std::vector<std::string> m_paths{"mha", "sdpa", "flash"};
    std::vector<std::string> m_predict;
    std::string m_preset;
    std::int64_t m_heads = 16;
    std::int64_t m_width = 1024;
    std::int64_t m_layers = 0;
    std::string m_dtype = "fp32";
    std::string m_ringDevices;
    std::string m_device = "cpu";
    int m_threads = 0;
    int m_repeats = 3;
    MemoryOptions m_memory;
    std::filesystem::path m_plot;
    bool m_force = false;
};

/// Hidden: measures one point and prints its line (core/measure/point_process.h).
class MeasurePointCommand : public Command {
public:
    explicit MeasurePointCommand(CLI::App& app);
    int run() const override;

private:
    std::string m_specification;
};

} // namespace maskscope
