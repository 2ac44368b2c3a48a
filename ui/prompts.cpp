// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts.h"

#include <algorithm>

namespace maskscope {

namespace {

template <class T>
std::vector<T> only(const std::vector<PromptSet::Prompt>& prompts) {
    std::vector<T> result;
    for (const auto& prompt : prompts)
        if (const T* value = std::get_if<T>(&prompt))
            result.push_back(*value);
    return result;
}

template <class T>
void removeAll(std::vector<PromptSet::Prompt>& prompts) {
    std::erase_if(prompts, [](const auto& prompt) { return std::holds_alternative<T>(prompt); });
}

} // namespace

void PromptSet::addPoint(PointPrompt point) {
    if (boxes().size() > 1)
        removeAll<BoxPrompt>(m_prompts);
    m_prompts.emplace_back(point);
}

void PromptSet::addBox(BoxPrompt box, BoxOrder order) {
    if (box.x0 > box.x1)
        std::swap(box.x0, box.x1);
    if (box.y0 > box.y1)
        std::swap(box.y0, box.y1);
    if (order == BoxOrder::Replace)
        removeAll<BoxPrompt>(m_prompts);
    m_prompts.emplace_back(box);
    if (boxes().size() > 1)
        removeAll<PointPrompt>(m_prompts);
}

std::vector<PointPrompt> PromptSet::points() const {
    return only<PointPrompt>(m_prompts);
}

std::vector<BoxPrompt> PromptSet::boxes() const {
    return only<BoxPrompt>(m_prompts);
}

} // namespace maskscope
