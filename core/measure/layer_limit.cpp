// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer_limit.h"

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/memory/ledger.h"

#include <algorithm>
#include <string>

namespace maskscope {

void refuseIfTooLarge(const LayerShape& shape, int threads) {
    const AttentionShape attention = attentionShapeOf(shape, threads);
    const std::int64_t predicted = layerPeakBytes(shape, threads);
    const std::int64_t live
        = cpuLedger().live() + shape.patches * shape.width * attention.elementBytes;
    const auto limit = cpuLedger().limit();
    if (!limit || live + predicted <= *limit)
        return;
    std::string sentence = textOf(shape) + " needs about " + bytesText(predicted, 2)
        + " at its peak, but of the limit " + bytesText(*limit, 2) + " only "
        + bytesText(std::max<std::int64_t>(0, *limit - live), 2) + " are left. ";
    if (materialises(shape.path))
        sentence += "One of its matrices alone takes " + bytesText(scoreMatrixBytes(attention), 2)
            + " (" + std::to_string(shape.heads) + " heads x " + std::to_string(shape.patches)
            + " x " + std::to_string(shape.patches) + " x " + std::to_string(attention.elementBytes)
            + " bytes). Choose the path sdpa or";
    else
        sentence += "Choose";
    throw Failure(ErrorKind::Memory, sentence + " fewer patches, or let it have more memory.");
}

} // namespace maskscope
