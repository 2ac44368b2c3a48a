// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace maskscope {

/// Each query's image's part of x [B, ...]: [N, ...]. A single image is shared and not copied.
inline at::Tensor perQuery(const at::Tensor& x, const at::Tensor& imageOfQuery /*[N]*/) {
    if (x.size(0) > 1)
        return x.index_select(0, imageOfQuery);
    auto sizes = x.sizes().vec();
    sizes.front() = imageOfQuery.size(0);
    return x.expand(sizes);
}

} // namespace maskscope
