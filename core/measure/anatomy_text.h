// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/anatomy.h"

#include <string>

namespace maskscope {

/// "16 x 1024 x 1024"; empty for scratch.
std::string shapeText(const AliveTensor& tensor);

/// What takes most of what the run has made: "2 tensors of 16 x 1024 x 1024 fp32 are 128 MiB of the
/// 140 MiB that the run has made and not given back: attention's matrices, …"
std::string sentenceOf(const Anatomy& anatomy);

/// A line for each tensor, and for what was alive before.
std::string csvOf(const Anatomy& anatomy);

} // namespace maskscope
