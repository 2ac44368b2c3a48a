// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/figures.h"

namespace maskscope {

std::string_view nameOf(Figure figure) {
    constexpr std::array<std::string_view, kFigures> kNames{"loss", "answer", "mask_class",
        "patch_class", "naming", "centres", "places", "object_class", "asked", "pointer",
        "similarity", "text_mask", "prompt_mask", "score", "box", "found", "object_right",
        "asked_right", "pointer_right", "patch_right", "text_iou", "click_iou", "box_iou",
        "refined_iou"};
    return kNames[static_cast<std::size_t>(figure)];
}

void Figures::add(Figure figure, double value) {
    m_sums[static_cast<std::size_t>(figure)] += value;
    m_counts[static_cast<std::size_t>(figure)] += 1;
}

void Figures::add(const Figures& other) {
    for (std::size_t i = 0; i < kFigures; ++i) {
        m_sums[i] += other.m_sums[i];
        m_counts[i] += other.m_counts[i];
    }
}

double Figures::mean(Figure figure) const {
    const auto i = static_cast<std::size_t>(figure);
    return m_counts[i] > 0 ? m_sums[i] / m_counts[i] : 0;
}

} // namespace maskscope
