// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <variant>
#include <vector>

namespace maskscope {

enum class BoxOrder { Replace, Another };

/// Clicks and boxes on the image, in the order in which they were made. All points are one object;
/// several boxes are several objects, so that points and two boxes exclude each other: what is
/// added later stays.
class PromptSet {
public:
    using Prompt = std::variant<PointPrompt, BoxPrompt>;

    void addPoint(PointPrompt point);
    /// Brings the corners into order.
    void addBox(BoxPrompt box, BoxOrder order);
    void clear() { m_prompts.clear(); }

    bool isEmpty() const { return m_prompts.empty(); }
    const std::vector<Prompt>& all() const { return m_prompts; }
    std::vector<PointPrompt> points() const;
    std::vector<BoxPrompt> boxes() const;

    bool operator==(const PromptSet&) const = default;

private:
    std::vector<Prompt> m_prompts;
};

/// What an image is asked by clicks and boxes.
struct Prompting {
    PromptSet prompts;
    int meaning = 0; ///< of the first point, as Request::meaning
    std::vector<int> meanings; ///< that it may have, likeliest first
};

} // namespace maskscope
