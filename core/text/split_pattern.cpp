// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/split_pattern.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <utility>

namespace maskscope {
namespace {

constexpr std::uint32_t kMostHeapKiB = 256 * 1024;
constexpr std::uint32_t kMostSteps = 50'000'000;

[[noreturn]] void refuse(std::string_view pattern, const std::string& reason) {
    throw Failure(ErrorKind::Model, "the pattern \"" + printable(pattern) + "\" " + reason);
}

/// Rewrites a pattern of Oniguruma (Ruby's syntax) for PCRE2, or refuses it.
class Translation {
public:
    explicit Translation(std::string_view pattern)
        : m_pattern(pattern) { }

    std::string run() {
        while (m_at < m_pattern.size())
            step();
        return std::move(m_result);
    }

private:
    std::string_view rest() const { return m_pattern.substr(m_at); }

    [[noreturn]] void refuseRest(std::size_t length) const {
        refuse(m_pattern,
            "uses \"" + printable(rest().substr(0, length)) + "\", which is not supported");
    }

    void copy(std::size_t length) {
        m_result += rest().substr(0, length);
        m_at += length;
    }

    void step() {
        const char next = m_pattern[m_at];
        if (next == '\\')
            escape();
        else if (m_inClass)
            classMember(next);
        else if (next == '[')
            openClass();
        else if (next == '(')
            openGroup();
        else if (next == '^' || next == '$' || rest().starts_with("}+"))
            refuseRest(2);
        else
            copy(1);
    }

    void escape() {
        constexpr std::string_view kPlain = "rntdDfv";
        const char kind = m_at + 1 < m_pattern.size() ? m_pattern[m_at + 1] : '\0';
        const bool isLetterOrDigit = (kind >= '0' && kind <= '9') || (kind >= 'A' && kind <= 'Z')
            || (kind >= 'a' && kind <= 'z');
        if (kind == 's' || kind == 'S') {
            // PCRE2's own \s also holds U+180E, which has not been a space since Unicode 6.3.
            m_result += kind == 's' ? "\\p{White_Space}" : "\\P{White_Space}";
            m_at += 2;
        } else if (kind == 'p' || kind == 'P') {
            property();
        } else if ((kind != '\0' && !isLetterOrDigit) || kPlain.find(kind) != kPlain.npos) {
            copy(2);
        } else {
            refuseRest(2);
        }
    }

    // General categories mean the same to both; scripts and other names do not always.
    void property() {
        constexpr std::array<std::string_view, 37> kCategories{"C", "Cc", "Cf", "Cn", "Co", "Cs",
            "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P",
            "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp",
            "Zs"};
        const std::size_t end = rest().find('}');
        if (end == std::string_view::npos || m_pattern[m_at + 2] != '{')
            refuseRest(3);
        if (std::ranges::find(kCategories, rest().substr(3, end - 3)) == kCategories.end())
            refuseRest(end + 1);
        copy(end + 1);
    }

    void openClass() {
        m_inClass = true;
        copy(1);
        if (rest().starts_with('^'))
            copy(1);
        if (rest().starts_with(']'))
            refuseRest(1);
    }

    void classMember(char next) {
        if (next == '[' || rest().starts_with("&&"))
            refuseRest(2);
        m_inClass = next != ']';
        copy(1);
    }

    void openGroup() {
        constexpr std::array<std::string_view, 4> kOpenings{"(?:", "(?=", "(?!", "(?i:"};
        for (const std::string_view opening : kOpenings)
            if (rest().starts_with(opening))
                return copy(opening.size());
        if (rest().starts_with("(?") || rest().starts_with("(*"))
            refuseRest(4);
        copy(1);
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    bool m_inClass = false;
    std::string m_result;
};

PCRE2_SPTR unitsOf(std::string_view text) {
    return reinterpret_cast<PCRE2_SPTR>(text.data());
}

std::string messageOf(int error) {
    std::array<PCRE2_UCHAR, 256> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

template <auto release>
struct Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};

} // namespace

SplitPattern::SplitPattern(std::string pattern, Kind kind)
    : m_pattern(std::move(pattern)) {
    if (firstInvalidByte(m_pattern) != std::string_view::npos)
        refuse(m_pattern, "is not valid UTF-8");
    const std::string translated = kind == Kind::Regex ? Translation(m_pattern).run() : m_pattern;
    const std::uint32_t options
        = PCRE2_UTF | (kind == Kind::Regex ? PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C : PCRE2_LITERAL);
    int error = 0;
    std::size_t offset = 0;
    pcre2_code* code
        = pcre2_compile(unitsOf(translated), translated.size(), options, &error, &offset, nullptr);
    if (code == nullptr)
        refuse(m_pattern, "cannot be read: " + messageOf(error));
    m_code.reset(code, Release<pcre2_code_free>());

    std::uint32_t matchesEmpty = 0;
    pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &matchesEmpty);
    if (matchesEmpty != 0)
        refuse(m_pattern, "matches an empty text, which splits nothing");
    // Where the system forbids generated code this fails, and the interpreter does the same work.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
}

std::vector<Stretch> SplitPattern::stretches(std::string_view text) const {
    const std::unique_ptr<pcre2_match_data, Release<pcre2_match_data_free>> match(
        pcre2_match_data_create_from_pattern(m_code.get(), nullptr));
    const std::unique_ptr<pcre2_match_context, Release<pcre2_match_context_free>> limits(
        pcre2_match_context_create(nullptr));
    if (!match || !limits)
        throw std::bad_alloc();
    pcre2_set_heap_limit(limits.get(), kMostHeapKiB);
    pcre2_set_match_limit(limits.get(), kMostSteps);
    const auto matchFrom = [&](std::size_t at, std::uint32_t options) {
        return pcre2_match(m_code.get(), unitsOf(text), text.size(), at,
            options | PCRE2_NO_UTF_CHECK, match.get(), limits.get());
    };

    std::vector<Stretch> result;
    std::size_t at = 0;
    while (at < text.size()) {
        int found = matchFrom(at, 0);
        if (found == PCRE2_ERROR_JIT_STACKLIMIT)
            found = matchFrom(at, PCRE2_NO_JIT); // backtracks on the heap instead
        if (found == PCRE2_ERROR_NOMATCH)
            break;
        if (found < 0)
            throw Failure(ErrorKind::Model,
                "The tokenizer's pattern \"" + printable(m_pattern)
                    + "\" cannot split this text: " + messageOf(found) + ".");
        const std::size_t* bounds = pcre2_get_ovector_pointer(match.get());
        if (bounds[0] > at)
            result.push_back({text.substr(at, bounds[0] - at), false});
        result.push_back({text.substr(bounds[0], bounds[1] - bounds[0]), true});
        at = bounds[1];
    }
    if (at < text.size())
        result.push_back({text.substr(at), false});
    return result;
}

} // namespace maskscope
