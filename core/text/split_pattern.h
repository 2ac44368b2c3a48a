// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct pcre2_real_code_8;

namespace maskscope {

/// A part of a text that a pattern matched, or that lies between matches.
struct Stretch {
    std::string_view text;
    bool isMatch = false;
};

/// A pattern of a tokenizer.json. Those are written for Oniguruma; the constructs that PCRE2 reads
/// in the same way are accepted, any other is refused by name. Immutable; any thread may use it.
class SplitPattern {
public:
    enum class Kind { Regex, Literal };

    /// Throws Failure(Model) with the reason only; who knows the file completes the sentence.
    SplitPattern(std::string pattern, Kind kind);

    /// Valid UTF-8 cut into stretches that cover it, none of them empty. Needs little stack however
    /// long the text is; throws Failure(Model) when the pattern takes too many steps for it.
    std::vector<Stretch> stretches(std::string_view text) const;

private:
    std::string m_pattern;
    std::shared_ptr<const pcre2_real_code_8> m_code;
};

} // namespace maskscope
