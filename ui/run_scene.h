// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "ui/image_loader.h"
#include "ui/picture.h"

#include <memory>

namespace maskscope {

/// What a past run looked at: its picture, if the file still holds the same pixels, else an empty
/// one of its size.
struct RunScene {
    std::shared_ptr<const Picture> picture;
    bool isOriginal = false;
};

/// Work for a background thread.
RunScene sceneOf(const RunRecord& record, const ImageReader& reader);

} // namespace maskscope
