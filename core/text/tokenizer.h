// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/added_tokens.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What special tokens look like in decoded text.
enum class ControlTokens { Hidden, Named };

/// Text to token ids and back, as the Hugging Face tokenizers library does with the same
/// tokenizer.json (without its truncation, padding and post-processing): byte-level byte-pair
/// encoding with added tokens. What it does not know it refuses by name. Immutable, cheap to copy;
/// any thread may use it.
class Tokenizer {
public:
    /// Throws Failure(Model) that names the file and the part of it.
    explicit Tokenizer(const std::filesystem::path& file);

    /// The same from text; `origin` is how sentences call it.
    static Tokenizer parse(std::string_view json, std::string_view origin);

    /// Adds no tokens of its own. Throws Failure(Usage) when the text is not valid UTF-8.
    std::vector<int> encode(std::string_view text, SpecialTokens special) const;

    /// Valid UTF-8. Throws Failure(Usage) for an id that is no token's.
    std::string decode(std::span<const int> ids, ControlTokens control) const;

    /// What one token adds to the text: bytes, possibly a part of a character (see TextStream).
    /// Throws as decode() does.
    const std::string& bytesOf(int id) const;

    bool isSpecial(int id) const; ///< a control token; false for ids that are no token's
    std::optional<int> idOf(std::string_view token) const; ///< by its spelling in the file
    std::optional<std::string> tokenOf(int id) const; ///< its spelling in the file

    /// One more than the greatest id; what a model's embedding must have at least.
    int idLimit() const;

private:
    struct Data;
    explicit Tokenizer(std::shared_ptr<const Data> data);
    std::shared_ptr<const Data> m_data;
};

} // namespace maskscope
