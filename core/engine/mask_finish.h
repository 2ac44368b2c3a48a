// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

#include <ATen/core/Tensor.h>

namespace maskscope {

/// The pixels whose bilinearly upsampled logit is above 0, with area and box, without ever holding
/// the full-size logits. Label, score and indices are left to the caller.
Mask maskOfLogits(const at::Tensor& logits /*[h, w]*/, int width, int height);

} // namespace maskscope
