// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_work.h"

#include <algorithm>

namespace maskscope {

bool isSameWork(const ImageWork& one, const ImageWork& other) {
    const auto isSameRow = [](const MaskModel::Row& a, const MaskModel::Row& b) {
        return a.id == b.id && a.name == b.name && a.source == b.source;
    };
    return one.prompting.prompts == other.prompting.prompts
        && std::equal(
            one.masks.begin(), one.masks.end(), other.masks.begin(), other.masks.end(), isSameRow)
        && one.answer.question == other.answer.question
        && one.answer.tokens.size() == other.answer.tokens.size();
}

} // namespace maskscope
