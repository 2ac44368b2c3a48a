// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask.h"

namespace maskscope {

/// Sets area and bbox from the bits.
void measure(Mask& mask);

} // namespace maskscope
