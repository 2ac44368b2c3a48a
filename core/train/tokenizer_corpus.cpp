// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/request_maker.h"
#include "core/train/wording.h"

#include <cctype>
#include <span>

namespace maskscope {

std::vector<std::string> tokenizerCorpus(const ClassList& classes) {
    std::vector<std::string> lines;
    const auto add = [&lines](std::string text) {
        lines.push_back(text);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        lines.push_back(text);
        lines.push_back(text + ".");
    };
    for (const ObjectClass& kind : classes.all()) {
        for (const Number number : {Number::Singular, Number::Plural})
            for (const auto wordings : {std::span<const std::string_view>(kOneWordings),
                     std::span<const std::string_view>(kCountWordings),
                     std::span<const std::string_view>(kTwoWordings)})
                for (const std::string_view wording : wordings) {
                    std::string text(wording);
                    replaceAll(text, "{n2}", wordOf(kind, number));
                    putClass(text, kind, number);
                    add(text);
                }
        for (int found = 2; found <= 10; ++found)
            lines.push_back("there are " + numberWord(found) + " " + kind.plural + " :");
        lines.push_back("there is one " + kind.singular + " :");
        lines.push_back("there is no " + kind.singular);
        lines.push_back("the " + kind.singular + " : , the " + kind.plural + " :");
        for (int i = 0; i < 20; ++i) // as often as the English words, for whole tokens
            lines.insert(lines.end(), {"이 사진에서 " + kind.korean + " 찾아 줘", kind.korean});
    }
    for (const std::string_view wording : kAllWordings)
        add(std::string(wording));
    lines.emplace_back(kNothingKnown);
    for (int i = 0; i < 100; ++i)
        lines.insert(lines.end(), kFurtherWords.begin(), kFurtherWords.end());
    return lines;
}

} // namespace maskscope
