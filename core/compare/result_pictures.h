// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "core/image/image.h"

namespace maskscope {

/// The picture, no larger than `mostSide` pixels, with a run's masks over it in their colours.
Image resultPicture(const Image& image, const RunRecord& run, int mostSide);

/// Where two runs differ: orange is in masks of the first only, blue in masks of the second only,
/// over the picture in faint grey.
Image differencePicture(
    const Image& image, const RunRecord& first, const RunRecord& second, int mostSide);

} // namespace maskscope
