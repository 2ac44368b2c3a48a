// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer_job.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <string>
#include <utility>

namespace maskscope {

namespace {

int prepared(const LayerShape& shape, int threads) {
    checkLayer(shape);
    installCountingAllocator();
    prepareRequest({});
    if (threads > 0)
        at::set_num_threads(threads);
    return at::get_num_threads();
}

} // namespace

LayerJob::LayerJob(const LayerShape& shape, const LayerLimits& limits, std::string subject)
    : m_shape(shape)
    , m_subject(subject.empty() ? textOf(shape) : std::move(subject))
    , m_preflight(limits.preflight)
    , m_threads(prepared(shape, limits.threads))
    , m_predictedBytes(layerPeakBytes(shape, m_threads))
    , m_budget(cpuLedger(),
          limits.memoryLimit ? limits.memoryLimit : defaultMemoryLimit(cpuLedger().live())) { }

void LayerJob::preflight() const {
    const auto limit = cpuLedger().limit();
    const AttentionShape attention = attentionShapeOf(m_shape, m_threads);
    const std::int64_t input = m_shape.patches * m_shape.width * attention.elementBytes;
    const std::int64_t live = cpuLedger().live() + input;
    if (m_preflight == Preflight::Off || !limit || live + m_predictedBytes <= *limit)
        return;
    std::string sentence = m_subject + " needs about " + bytesText(m_predictedBytes, 2)
        + " at its peak, but of the limit " + bytesText(*limit, 2) + " only "
        + bytesText(std::max<std::int64_t>(0, *limit - live), 2) + " are left. ";
    if (materialises(m_shape.path))
        sentence += "One of its matrices alone takes " + bytesText(scoreMatrixBytes(attention), 2)
            + " (" + std::to_string(m_shape.heads) + " heads x " + std::to_string(m_shape.patches)
            + " x " + std::to_string(m_shape.patches) + " x "
            + std::to_string(attention.elementBytes) + " bytes). Choose the path sdpa or";
    else
        sentence += "Choose";
    throw Failure(ErrorKind::Memory, sentence + " fewer patches, or let it have more memory.");
}

void LayerJob::run(const std::function<void()>& work) const {
    std::optional<Error> error;
    try {
        work();
        check();
    } catch (...) {
        error = m_budget.errorOf(std::current_exception());
        if (cpuLedger().refusal())
            error->sentence = m_subject + ": " + error->sentence;
    }
    if (error)
        throw Failure(std::move(*error));
}

} // namespace maskscope
