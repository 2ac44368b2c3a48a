// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/audit_command.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/base/json_field.h"
#include "core/engine/event_json.h"
#include "core/engine/machine.h"
#include "core/model/config.h"
#include "core/model/dtype.h"

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kFileThreshold = 512; ///< of a trace whose number of patches nobody said
constexpr std::int64_t kUnknownHeads = 2; ///< of such a trace, where one matrix may be a picture

Json jsonOf(const AuditFinding& finding) {
    return {{"op", finding.op}, {"shape", finding.shape}, {"bytes", finding.bytes},
        {"module", finding.module}, {"count", finding.count}};
}

Json jsonOf(const std::vector<AuditFinding>& findings) {
    Json list = Json::array();
    for (const AuditFinding& finding : findings)
        list.push_back(jsonOf(finding));
    return list;
}

/// "16 or more matrices of 1024 x 1024"
std::string wantedText(const AuditRule& rule) {
    const auto square
        = [](std::int64_t side) { return std::to_string(side) + " x " + std::to_string(side); };
    std::string text = rule.heads > 1 ? std::to_string(rule.heads) + " or more matrices of "
                                      : std::string("a matrix of ");
    if (rule.patches)
        text += square(*rule.patches);
    if (rule.threshold)
        text += (rule.patches ? ", or of " : "") + square(*rule.threshold) + " or larger";
    return text;
}

void print(const std::vector<AuditFinding>& findings) {
    for (const AuditFinding& finding : findings)
        std::cout << "  " << std::left << std::setw(24) << oneLine(finding.op) << ' '
                  << std::setw(24) << shapeText(finding.shape) << ' ' << std::setw(12)
                  << bytesText(finding.bytes, 2) << " x " << finding.count
                  << (finding.module.empty() ? "" : "  in " + oneLine(finding.module)) << '\n';
}

void print(const std::string& wanted, const FileAudit& audit) {
    const auto kinds = [](std::size_t count) {
        return std::to_string(count)
            + (count == 1 ? " kind of operation holds " : " kinds of operation hold ");
    };
    if (!audit.findings.empty()) {
        std::cout << kinds(audit.findings.size()) << wanted << '\n';
        print(audit.findings);
    } else if (audit.near.empty()) {
        std::cout << "nothing found; no operation received or produced " << wanted << '\n';
    } else {
        std::cout << "no operation received or produced " << wanted << ", but "
                  << kinds(audit.near.size())
                  << "what comes near that: give --heads and --patches as the file has them\n";
        print(audit.near);
    }
    if (audit.unreadable > 0)
        std::cout << "The sizes of " << audit.unreadable
                  << " operations cannot be read: what they held is not known.\n";
}

} // namespace

AuditCommand::AuditCommand(CLI::App& app)
    : Command(app, "audit", "List the operations that hold a matrix of patches x patches",
        "maskscope-cli audit --path mha --patches 1024")
    , m_memory(options()) {
    CLI::App* c = &options();
    c->add_option("--path", m_path, "mha, sdpa, flash, encoder-layer or cpp-module")
        ->capture_default_str();
    c->add_option("--patches", m_patches, "Number of patches")
        ->capture_default_str()
        ->check(wholeNumber(1, kMostLayerPatches))
        ->type_name("P");
    c->add_option("--heads", m_heads,
         "Attention heads; fewer matrices than these do not count (default: 16; of a file 1)")
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--dim", m_width, "Width of a patch's vector; other than the number of patches")
        ->capture_default_str()
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16")
        ->capture_default_str()
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    c->add_option("--threshold", m_threshold, "Also list square matrices of this side and larger")
        ->check(CLI::Range(2, 1 << 20));
    c->add_option(
        "--mode", m_mode, "production; training and eval-grad are refused with the reason");
    CLI::Option* matrix = c->add_flag(
        "--matrix", m_matrix, "What attention takes in eval and training, with and without mask");
    CLI::Option* trace
        = c->add_option("--trace", m_trace, "Audit a trace of torch.profiler with shapes")
              ->check(notEmpty())
              ->type_name("FILE");
    CLI::Option* script = c->add_option("--torchscript", m_torchScript,
                               "Audit a TorchScript module, run on [1, P, DIM]")
                              ->check(notEmpty())
                              ->type_name("FILE")
                              ->excludes(trace)
                              ->excludes(matrix);
    trace->excludes(matrix);
    c->add_option("--model", m_model, "Audit a model folder: image, mask decoder and prefill")
        ->check(notEmpty())
        ->type_name("DIR")
        ->excludes(trace)
        ->excludes(matrix)
        ->excludes(script);
}

LayerShape AuditCommand::shape() const {
    const auto path = layerPathFrom(m_path);
    if (!path)
        throw Failure(ErrorKind::Usage,
            "--path cannot be \"" + m_path
                + "\": give mha, sdpa, flash, encoder-layer or cpp-module.");
    LayerShape shape{*path, m_patches, m_heads, m_width, 0, precisionArgumentFrom(m_dtype)};
    checkWatchedLayer(shape);
    return shape;
}

AuditRule AuditCommand::fileRule() const {
    AuditRule rule;
    if (given("--patches") || !m_torchScript.empty())
        rule.patches = m_patches;
    rule.threshold = m_threshold;
    if (!rule.patches && !rule.threshold)
        rule.threshold = kFileThreshold;
    rule.heads = given("--heads") ? m_heads : rule.patches ? 1 : kUnknownHeads;
    return rule;
}

LayerLimits AuditCommand::limits() const {
    return {0, m_memory.limit(), m_memory.preflight()};
}

void AuditCommand::tellAudit(const std::string& path, const std::string& subject,
    const AuditRule& rule, const FileAudit& audit) const {
    if (json()) {
        std::cout << lineOf({{"event", "audit"}, {"path", path}, {"patches", orNull(rule.patches)},
            {"threshold", orNull(rule.threshold)}, {"heads", rule.heads},
            {"findings", jsonOf(audit.findings)}, {"near", jsonOf(audit.near)},
            {"unreadable", audit.unreadable}})
                  << '\n';
        return;
    }
    std::cout << oneLine(subject) << ", LibTorch " << describeMachine().torchVersion << ": ";
    print(wantedText(rule), audit);
}

void AuditCommand::tellMatrix(const std::vector<AuditRow>& rows) const {
    if (!json())
        std::cout << "torch.nn.MultiheadAttention under Python's rule, LibTorch "
                  << describeMachine().torchVersion << ", P = " << m_patches << ", " << m_heads
                  << " heads\n";
    for (const AuditRow& row : rows) {
        const std::string mode = row.training ? "train" : "eval";
        const std::string mask = row.masked ? "mask" : "none";
        if (json())
            std::cout << lineOf({{"event", "matrix"}, {"mode", mode}, {"autograd", row.gradients},
                {"mask", mask}, {"ops", row.ops}, {"materialises", row.materialises}})
                      << '\n';
        else
            std::cout << "  " << std::left << std::setw(6) << mode << std::setw(14)
                      << (row.gradients ? "autograd on" : "autograd off") << std::setw(6) << mask
                      << (row.materialises ? "P x P in memory: " : "no P x P matrix:  ")
                      << joined(row.ops) << '\n';
    }
}

std::vector<AuditFinding> AuditCommand::auditModel(const LayerShape& shape) const {
    const auto path = attentionPathOf(shape.path);
    if (!path)
        throw Failure(ErrorKind::Usage,
            "A model has no path " + m_path + ": give --path mha, sdpa or flash.");
    RunSettings settings;
    settings.attention = *path;
    settings.precision = shape.precision;
    settings.memoryLimit = m_memory.limit();
    settings.preflight = m_memory.preflight();
    return maskscope::auditModel(m_model, m_patches, settings);
}

void AuditCommand::audit(const LayerShape& shape) const {
    if (!m_model.empty()) {
        const FileAudit audit{auditModel(shape), {}, 0};
        tellAudit(m_path, m_model.string() + " with " + textOf(shape),
            {m_patches, {}, readLensConfig(m_model / "config.json").mask.heads}, audit);
    } else if (!m_torchScript.empty()) {
        tellAudit("torchscript", m_torchScript.string(), fileRule(),
            auditTorchScript(m_torchScript, shape, fileRule(), limits()));
    } else {
        tellAudit(m_path, textOf(shape), {m_patches, m_threshold, m_heads},
            {auditLayer(shape, m_threshold, limits()), {}, 0});
    }
}

int AuditCommand::run() const {
    const Interrupt interrupt(OnInterrupt::End);
    const auto mode = auditModeFrom(m_mode);
    if (!mode)
        throw Failure(ErrorKind::Usage,
            "--mode cannot be \"" + m_mode + "\": give production, training or eval-grad.");
    if (!m_trace.empty()) {
        const AuditRule rule = fileRule();
        tellAudit("trace", m_trace.string(), rule, auditTrace(m_trace, rule));
    } else {
        const LayerShape shape = this->shape();
        if (!m_matrix)
            checkAuditMode(*mode);
        if (m_matrix)
            tellMatrix(auditMatrix(shape, limits()));
        else
            audit(shape);
    }
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return 0;
}

} // namespace maskscope
