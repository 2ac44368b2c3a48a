// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace maskscope {

/// What a person is to be told of a run whose picture the model saw, in `patches`, far larger than
/// the pictures of its training: that its results may be wrong, and from which size on. Empty where
/// there is nothing to tell. `trainingPixels` is ModelInfo's, or 0 where nobody knows it.
std::string sizeRemark(std::int64_t patches, std::int64_t trainingPixels);

} // namespace maskscope
