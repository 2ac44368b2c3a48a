// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/memory_options.h"
#include "core/measure/anatomy.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace maskscope {

/// `anatomy`: what was alive at the peak of one attention layer, or of one request.
class AnatomyCommand : public Command {
public:
    explicit AnatomyCommand(CLI::App& app);
    int run() const override;

private:
    Anatomy ofLayer() const;
    Anatomy ofRequest() const;
    void tell(const Anatomy& anatomy) const;
    void print(const Anatomy& anatomy) const;

    std::string m_path = "mha";
    std::int64_t m_patches = 1024;
    std::int64_t m_heads = 16;
    std::int64_t m_width = 1024;
    std::string m_dtype = "fp32";
    int m_threads = 0;
    MemoryOptions m_memory;
    std::filesystem::path m_image;
    std::filesystem::path m_model;
    std::string m_text;
    std::string m_pixels;
    std::string m_stage;
};

} // namespace maskscope
