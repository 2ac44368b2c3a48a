// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answer_view.h"
#include "ui/mask_model.h"
#include "ui/prompts.h"

#include <vector>

namespace maskscope {

/// What has been done on an image: kept while another one is shown, and small, because masks are
/// runs.
struct ImageWork {
    Prompting prompting;
    std::vector<MaskModel::Row> masks;
    AnswerView::Content answer;
};

/// Whether going from one to the other is a step: how they are looked at does not count.
bool isSameWork(const ImageWork& one, const ImageWork& other);

} // namespace maskscope
