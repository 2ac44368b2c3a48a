// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <cstdint>
#include <memory>

namespace maskscope {

/// A picture that the model sees as exactly that many patches. Its sides differ, so that no feature
/// map is square. Throws Failure(Usage) when there is none.
std::shared_ptr<const Image> pictureOf(std::int64_t patches);

} // namespace maskscope
