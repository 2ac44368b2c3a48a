// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "core/measure/layer_job.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// An operation that received or produced a matrix of P x P for every head.
struct AuditFinding {
    std::string op; ///< "bmm", "_masked_softmax": without "aten::"
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
    std::string module; ///< that it ran in; empty where nobody says
    std::int64_t count = 1; ///< calls

    bool operator==(const AuditFinding&) const = default;
};

/// Which shapes are a materialised matrix: the last two sizes are equal, and equal to `patches` or
/// at least `threshold`, and the sizes before them make at least `heads`. Weights and activations
/// that happen to be square are not.
struct AuditRule {
    std::optional<std::int64_t> patches;
    std::optional<std::int64_t> threshold;
    std::int64_t heads = 1;

    bool matches(const std::vector<std::int64_t>& shape) const;
    /// Square matrices that the rule leaves out, but might be those that are looked for if its
    /// numbers are not those of the file: fewer of them, or of another side.
    bool nearlyMatches(const std::vector<std::int64_t>& shape) const;
};

/// What an audit of a file found, whose heads and patches nobody knows but who wrote it. Without
/// findings it is an all-clear only where nothing is near either and everything could be read.
struct FileAudit {
    std::vector<AuditFinding> findings;
    std::vector<AuditFinding> near; ///< see AuditRule::nearlyMatches()
    std::int64_t unreadable = 0; ///< operations whose sizes cannot be
};

/// How the audited layer runs. Only production is audited: in the two others attention takes
/// another way, so that an audit would find nothing and prove nothing.
enum class AuditMode { Production, Training, EvalWithGradients };

std::string_view nameOf(AuditMode mode); ///< "production", "training", "eval-grad"
std::optional<AuditMode> auditModeFrom(std::string_view name);

/// Throws Failure(Usage) with the reason for anything but production.
void checkAuditMode(AuditMode mode);

/// Runs one layer once in production mode and watches every operation on the way. Throws
/// Failure(Memory) for one that does not fit.
std::vector<AuditFinding> auditLayer(const LayerShape& shape,
    const std::optional<std::int64_t>& threshold, const LayerLimits& limits = {});

/// A model folder, run once as in production on a picture of exactly that many patches, by a click
/// and by words: the image, the mask decoder, and the language model's prefill. Of `settings` its
/// path, precision and limits count. Throws Failure(Usage) when there is no such picture.
std::vector<AuditFinding> auditModel(
    const std::filesystem::path& folder, std::int64_t patches, const RunSettings& settings);

/// A TorchScript module, run once on x [1, P, C] and, where it takes a second tensor, a padding
/// mask [1, P] of false; what it prints is dropped. Throws Failure(Model) when it cannot be loaded
/// or run, Failure(Usage) when it was saved in training mode, Failure(Memory) when it asks for more
/// than the limit.
FileAudit auditTorchScript(const std::filesystem::path& file, const LayerShape& shape,
    const AuditRule& rule, const LayerLimits& limits = {});

/// A trace that Kineto (torch.profiler) wrote with record_shapes=True. Throws Failure(Input) when
/// it is none, or has no shapes.
FileAudit auditTrace(const std::filesystem::path& file, const AuditRule& rule);

/// What the attention of torch.nn.MultiheadAttention takes under Python's rule: the native fast
/// path exactly in eval mode with autograd off.
struct AuditRow {
    bool training = false;
    bool gradients = false;
    bool masked = false;
    std::vector<std::string> ops; ///< those of attention, in their order
    bool materialises = false;
};

/// Every combination of training, gradients and mask, run on this LibTorch.
std::vector<AuditRow> auditMatrix(const LayerShape& shape, const LayerLimits& limits = {});

} // namespace maskscope
