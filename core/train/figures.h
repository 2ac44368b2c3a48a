// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace maskscope {

/// What a step is judged by: the terms of the loss, unweighted, and shares that should rise.
enum class Figure {
    Loss, ///< weighted sum
    Answer, ///< cross-entropy of the answers' tokens
    MaskClass, ///< cross-entropy of the class a <|mask|> state names
    PatchClass, ///< cross-entropy of the patches' classes
    Naming, ///< cross-entropy of the class each token of the vocabulary names
    Centres, ///< focal loss of the objects' centres
    Places, ///< errors of votes and sizes, in patches
    ObjectClass, ///< cross-entropy of found objects' classes
    Asked, ///< cross-entropy of which found objects a request asks for
    Pointer, ///< cross-entropy of which found objects a <|mask|> state means
    Similarity, ///< of query and patch
    TextMask,
    PromptMask,
    Score,
    Box,
    FoundShare, ///< of the scenes' objects that were found
    ObjectRight, ///< share of found named objects whose class is right
    AskedRight, ///< share of requests for which each found object is judged rightly
    PointerRight, ///< share of <|mask|> states whose likeliest object is one that is meant
    PatchRight, ///< share of object patches whose class is right
    TextIou, ///< mean IoU of masks of words
    ClickIou, ///< of one click
    BoxIou, ///< of one box
    RefinedIou, ///< after clicks on what was wrong
};
inline constexpr std::size_t kFigures = 24;
std::string_view nameOf(Figure figure); ///< as in the log: "loss", "answer", "mask_class", …

/// Mean of each figure over the steps that had it.
class Figures {
public:
    void add(Figure figure, double value);
    void add(const Figures& other);
    double mean(Figure figure) const; ///< 0 when it was never added
    bool has(Figure figure) const { return m_counts[static_cast<std::size_t>(figure)] > 0; }

private:
    std::array<double, kFigures> m_sums{};
    std::array<double, kFigures> m_counts{};
};

} // namespace maskscope
