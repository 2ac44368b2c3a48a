// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/split_pattern.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What becomes of the matches of a splitting step (names of the tokenizers library).
enum class SplitBehaviour { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// Cuts text into the pieces that byte-pair merging never crosses: steps of a tokenizer.json's
/// "pre_tokenizer", which must end with ByteLevel. Known: Split, Digits, ByteLevel, Sequence.
class PreTokenizer {
public:
    /// Throws Failure(Model) with the reason only; names a type or option it does not know.
    explicit PreTokenizer(const nlohmann::json& description);

    /// Pieces of valid UTF-8 text as bytes, in order, none of them empty.
    std::vector<std::string> split(std::string_view text) const;

private:
    enum class PrefixSpace { No, Yes };

    struct Step {
        SplitPattern pattern;
        SplitBehaviour behaviour = SplitBehaviour::Isolated;
        bool inverted = false; ///< what lies between the matches counts as the match
    };

    void add(const nlohmann::json& description);
    void addSplit(const nlohmann::json& description);
    void addDigits(const nlohmann::json& description);
    void addByteLevel(const nlohmann::json& description);

    std::vector<Step> m_steps; ///< before the byte level
    std::optional<PrefixSpace> m_prefixSpace; ///< set by ByteLevel
    std::optional<SplitPattern> m_byteLevelPattern;
};

} // namespace maskscope
