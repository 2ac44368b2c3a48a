// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/wording.h"

namespace maskscope {

std::string withArticle(std::string_view singular) {
    const bool vowel = !singular.empty()
        && std::string_view("aeiou").find(singular.front()) != std::string_view::npos;
    return (vowel ? "an " : "a ") + std::string(singular);
}

std::string numberWord(int count) {
    static constexpr std::array<std::string_view, 11> kWords{
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
    return count >= 0 && count < static_cast<int>(kWords.size())
        ? std::string(kWords[static_cast<std::size_t>(count)])
        : std::to_string(count);
}

} // namespace maskscope
