// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/memory_options.h"
#include "core/measure/audit.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// `audit`: which operations hold a matrix of P x P, by running once as in production.
class AuditCommand : public Command {
public:
    explicit AuditCommand(CLI::App& app);
    int run() const override;

private:
    LayerShape shape() const;
    AuditRule fileRule() const;
    LayerLimits limits() const;
    std::vector<AuditFinding> auditModel(const LayerShape& shape) const;
    void audit(const LayerShape& shape) const;
    void tellAudit(const std::string& path, const std::string& subject, const AuditRule& rule,
        const FileAudit& audit) const;
    void tellMatrix(const std::vector<AuditRow>& rows) const;

    std::string m_path = "mha";
    std::int64_t m_patches = 1024;
    std::int64_t m_heads = 16;
    std::int64_t m_width = 768;
    std::string m_dtype = "fp32";
    std::optional<std::int64_t> m_threshold;
    std::string m_mode = "production";
    bool m_matrix = false;
    std::filesystem::path m_model;
    std::filesystem::path m_trace;
    std::filesystem::path m_torchScript;
    MemoryOptions m_memory;
};

} // namespace maskscope
