// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/audit.h"

#include "core/base/error.h"
#include "core/measure/layer_run.h"
#include "core/measure/op_observer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_native_multi_head_attention.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <array>

namespace maskscope {

namespace {

constexpr std::array<std::pair<AuditMode, std::string_view>, 3> kModes{{
    {AuditMode::Production, "production"},
    {AuditMode::Training, "training"},
    {AuditMode::EvalWithGradients, "eval-grad"},
}};

/// Those that the matrix tells: all others are shapes and copies.
constexpr std::array<std::string_view, 9> kAttentionOps{"_native_multi_head_attention", "bmm",
    "baddbmm", "_softmax", "_masked_softmax", "scaled_dot_product_attention",
    "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_attention_math",
    "_transformer_encoder_layer_fwd"};

/// Weights of torch.nn.MultiheadAttention, and its forward as Python dispatches it.
struct PythonAttention {
    LayerShape shape;
    at::Tensor inWeight, inBias, outWeight, outBias;

    explicit PythonAttention(const LayerShape& layer)
        : shape(layer) {
        const auto C = layer.width;
        LayerShape drawn = layer;
        const auto draw = [&](std::int64_t rows) {
            drawn.patches = rows;
            return layerInput(drawn)[0] / 32;
        };
        inWeight = draw(3 * C);
        inBias = draw(3).flatten();
        outWeight = draw(C);
        outBias = draw(1).flatten();
    }

    at::Tensor forward(const at::Tensor& x, const at::Tensor& hidden, bool training) const {
        constexpr std::int64_t kKeyPaddingMask = 1;
        const std::optional<at::Tensor> mask
            = hidden.defined() ? std::optional(hidden) : std::nullopt;
        if (!training && !c10::GradMode::is_enabled())
            return std::get<0>(at::_native_multi_head_attention(x, x, x, shape.width, shape.heads,
                inWeight, inBias, outWeight, outBias, mask, false, true,
                mask ? std::optional(kKeyPaddingMask) : std::nullopt));
        const auto parts = at::linear(x, inWeight, inBias).chunk(3, -1);
        const auto heads = [&](const at::Tensor& part) {
            return part.view({1, shape.patches, shape.heads, -1}).transpose(1, 2);
        };
        std::optional<at::Tensor> shown; // true attends: the other way round
        if (mask)
            shown = hidden.logical_not().view({1, 1, 1, -1});
        return at::linear(at::scaled_dot_product_attention(
                              heads(parts[0]), heads(parts[1]), heads(parts[2]), shown)
                              .transpose(1, 2)
                              .reshape(x.sizes()),
            outWeight, outBias);
    }
};

AuditRow auditRow(const PythonAttention& attention, AuditRow row) {
    const c10::AutoGradMode gradients(row.gradients);
    const auto x = layerInput(attention.shape).requires_grad_(row.gradients);
    const auto hidden
        = row.masked ? at::zeros({1, attention.shape.patches}, at::kBool) : at::Tensor();
    const OpObserver observer({attention.shape.patches, std::nullopt, attention.shape.heads});
    attention.forward(x, hidden, row.training);
    for (const std::string& op : observer.ops())
        if (std::find(kAttentionOps.begin(), kAttentionOps.end(), op) != kAttentionOps.end())
            row.ops.push_back(op);
    row.materialises = !observer.findings().empty();
    return row;
}

std::int64_t stackOf(const std::vector<std::int64_t>& shape, std::int64_t enough) {
    std::int64_t matrices = 1;
    for (std::size_t i = 0; i + 2 < shape.size() && matrices < enough; ++i)
        matrices *= shape[i];
    return matrices;
}

} // namespace

bool AuditRule::matches(const std::vector<std::int64_t>& shape) const {
    const std::size_t n = shape.size();
    if (n < 3 || shape[n - 1] != shape[n - 2])
        return false;
    const std::int64_t side = shape[n - 1];
    if (!(patches && side == *patches) && !(threshold && side >= *threshold))
        return false;
    return stackOf(shape, heads) >= heads;
}

bool AuditRule::nearlyMatches(const std::vector<std::int64_t>& shape) const {
    constexpr std::int64_t kLeastSide = 16; ///< below it are kernels of convolutions
    const std::size_t n = shape.size();
    if (n < 2 || shape[n - 1] != shape[n - 2] || matches(shape) || stackOf(shape, 2) < 1)
        return false;
    const std::int64_t side = shape[n - 1];
    if (patches && side == *patches)
        return true;
    // A square of another side may be a weight, a stack of them is none.
    return n > 2 && stackOf(shape, heads) >= heads && side >= (patches ? *patches : kLeastSide);
}

std::string_view nameOf(AuditMode mode) {
    for (const auto& [value, name] : kModes)
        if (value == mode)
            return name;
    return "";
}

std::optional<AuditMode> auditModeFrom(std::string_view name) {
    for (const auto& [value, known] : kModes)
        if (known == name)
            return value;
    return std::nullopt;
}

void checkAuditMode(AuditMode mode) {
    if (mode == AuditMode::Training)
        throw Failure(ErrorKind::Usage,
            "An audit in training mode is refused: there the layer goes through SDPA and nothing"
            " would be found, while eval with autograd off takes the native path that holds P x P"
            " matrices. Audit --mode production; --matrix shows the difference.");
    if (mode == AuditMode::EvalWithGradients)
        throw Failure(ErrorKind::Usage,
            "An audit in eval mode with gradients on is refused: the layer goes through SDPA as in"
            " training and nothing would be found; only eval with autograd off takes the native"
            " path. Audit --mode production; --matrix shows the difference.");
}

std::vector<AuditFinding> auditLayer(const LayerShape& shape,
    const std::optional<std::int64_t>& threshold, const LayerLimits& limits) {
    checkWatchedLayer(shape);
    const LayerJob job(shape, limits);
    std::vector<AuditFinding> findings;
    job.run([&] {
        const c10::InferenceMode inference;
        const LayerRun run = makeLayer(shape);
        job.preflight();
        const at::Tensor x = layerInput(shape), padding = layerPadding(shape);
        const OpObserver observer({shape.patches, threshold, shape.heads});
        run(x, padding);
        findings = observer.findings();
    });
    return findings;
}

std::vector<AuditRow> auditMatrix(const LayerShape& shape, const LayerLimits& limits) {
    checkWatchedLayer(shape);
    LayerShape native = shape; // the largest of all that is run
    native.path = LayerPath::Mha;
    const LayerJob job(native, limits);
    std::vector<AuditRow> rows;
    job.run([&] {
        job.preflight();
        const PythonAttention attention(shape);
        for (const auto& [training, gradients] :
            {std::pair{false, false}, {false, true}, {true, true}})
            for (const bool masked : {false, true})
                rows.push_back(auditRow(attention, {training, gradients, masked, {}, false}));
    });
    return rows;
}

} // namespace maskscope
