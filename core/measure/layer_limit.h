// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/layer.h"

namespace maskscope {

/// Before the layer's input is made: throws Failure(Memory), with figures and ways on, when input
/// and predicted peak are more than the host's limit leaves.
void refuseIfTooLarge(const LayerShape& shape, int threads);

} // namespace maskscope
