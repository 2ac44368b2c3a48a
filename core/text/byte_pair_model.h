// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_pair_merge.h"
#include "core/text/vocabulary.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace maskscope {

/// The "model" of a tokenizer.json: turns the bytes of one piece into ids by merging pairs.
class BytePairModel {
public:
    /// Adds the model's tokens to `vocabulary`. Throws Failure(Model), with the reason only, for
    /// another type of model, for options it does not know, and for merges without their tokens.
    BytePairModel(const nlohmann::json& description, Vocabulary& vocabulary);

    /// Appends the ids of a piece. A byte without a token gives the unknown token, or nothing when
    /// the model has none, as in the tokenizers library.
    void encode(std::string_view piece, const Vocabulary& vocabulary, std::vector<int>& ids) const;

private:
    enum class WholePieces { Merged, LookedUp }; ///< "ignore_merges": a piece that is a token
    enum class Unknowns { Separate, Fused };

    void readVocabulary(const nlohmann::json& description, Vocabulary& vocabulary);
    void readMerges(const nlohmann::json& description, const Vocabulary& vocabulary);

    std::array<std::optional<int>, 256> m_byteIds;
    BytePairMerges m_merges;
    WholePieces m_wholePieces = WholePieces::Merged;
    std::optional<int> m_unknown;
    Unknowns m_unknowns = Unknowns::Separate;
};

} // namespace maskscope
