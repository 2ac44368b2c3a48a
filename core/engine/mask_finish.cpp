// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/mask_finish.h"

#include "kernels/kernels.h"

namespace maskscope {

Mask maskOfLogits(const at::Tensor& logits, int width, int height) {
    const at::Tensor low = logits.to(at::kFloat).contiguous(); // [h, w]
    Mask mask;
    mask.width = width;
    mask.height = height;
    mask.bits.resize(std::size_t(width) * std::size_t(height));
    const kernels::MaskExtent extent
        = kernels::cpu::upsampleMask(low.const_data_ptr<float>(), std::int32_t(low.size(0)),
            std::int32_t(low.size(1)), 0.0F, mask.bits.data(), height, width);
    mask.area = extent.area;
    if (extent.area > 0)
        mask.bbox
            = {extent.left, extent.top, extent.right - extent.left, extent.bottom - extent.top};
    return mask;
}

} // namespace maskscope
