// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pair_model.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/text/byte_alphabet.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace maskscope {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& reason) {
    throw Failure(ErrorKind::Model, reason);
}

/// A value that a model may leave out or set to null.
const Json* optionIn(const Json& description, const char* name) {
    const auto found = description.find(name);
    return found == description.end() || found->is_null() ? nullptr : &*found;
}

bool isSet(const Json& description, const char* name) {
    const Json* value = optionIn(description, name);
    if (value != nullptr && !value->is_boolean())
        refuse("the model's option " + std::string(name) + " is not true or false");
    return value != nullptr && value->get<bool>();
}

void checkOptions(const Json& description) {
    const auto type = description.is_object() ? description.find("type") : description.end();
    if (!description.is_object() || type == description.end() || !type->is_string())
        refuse("its model has no type");
    if (*type != "BPE")
        refuse("its model type " + printable(type->get_ref<const std::string&>())
            + " is not supported; only BPE is");
    if (const Json* dropout = optionIn(description, "dropout"))
        if (!dropout->is_number() || dropout->get<double>() != 0)
            refuse("its model drops merges at random (dropout), which is not supported");
    for (const char* name : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (const Json* affix = optionIn(description, name))
            if (!affix->is_string() || !affix->get_ref<const std::string&>().empty())
                refuse("its model uses " + std::string(name) + ", which is not supported");
    if (isSet(description, "byte_fallback"))
        refuse("its model uses byte_fallback, which is not supported");
}

/// The two halves of a merge, which is a pair of texts or one text with a space between them.
std::pair<std::string, std::string> halvesOf(const Json& merge) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
        return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    if (merge.is_string()) {
        const auto& text = merge.get_ref<const std::string&>();
        const std::size_t space = text.find(' ');
        if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos)
            return {text.substr(0, space), text.substr(space + 1)};
    }
    refuse("its merge " + printable(merge.dump()) + " is not a pair of tokens");
}

} // namespace

BytePairModel::BytePairModel(const Json& description, Vocabulary& vocabulary) {
    checkOptions(description);
    readVocabulary(description, vocabulary);
    readMerges(description, vocabulary);
    for (std::size_t byte = 0; byte < m_byteIds.size(); ++byte)
        m_byteIds[byte] = vocabulary.idOf(spelledByte(static_cast<unsigned char>(byte)));

    if (isSet(description, "ignore_merges"))
        m_wholePieces = WholePieces::LookedUp;
    if (isSet(description, "fuse_unk"))
        m_unknowns = Unknowns::Fused;
    if (const Json* unknown = optionIn(description, "unk_token")) {
        if (unknown->is_string())
            m_unknown = vocabulary.idOf(unknown->get_ref<const std::string&>());
        if (!m_unknown)
            refuse("its model's unk_token is not in the vocabulary");
    }
}

void BytePairModel::readVocabulary(const Json& description, Vocabulary& vocabulary) {
    const auto tokens = description.find("vocab");
    if (tokens == description.end() || !tokens->is_object() || tokens->empty())
        refuse("its model has no vocabulary");
    for (const auto& item : tokens->items()) {
        if (!item.value().is_number_unsigned()
            || item.value().get<std::uint64_t>() >= std::numeric_limits<int>::max())
            refuse("its token \"" + printable(item.key())
                + "\" has an id that is not a whole number from 0 to 2147483646");
        vocabulary.add(item.value().get<int>(),
            {item.key(), bytesSpelled(item.key()).value_or(item.key()), false});
    }
}

void BytePairModel::readMerges(const Json& description, const Vocabulary& vocabulary) {
    const auto merges = description.find("merges");
    if (merges == description.end() || !merges->is_array())
        refuse("its model has no list of merges");
    for (const Json& merge : *merges) {
        const std::pair<std::string, std::string> halves = halvesOf(merge);
        const auto& left = halves.first;
        const auto& right = halves.second;
        const auto idOf = [&](const std::string& token) {
            const auto id = vocabulary.idOf(token);
            if (!id)
                refuse("its merge \"" + printable(left) + " " + printable(right)
                    + "\" needs the token \"" + printable(token)
                    + "\", which its vocabulary lacks");
            return *id;
        };
        m_merges.add(idOf(left), idOf(right), idOf(left + right));
    }
}

void BytePairModel::encode(
    std::string_view piece, const Vocabulary& vocabulary, std::vector<int>& ids) const {
    if (m_wholePieces == WholePieces::LookedUp) {
        if (const auto id = vocabulary.idOf(spelledBytes(piece))) {
            ids.push_back(*id);
            return;
        }
    }
    std::vector<int> symbols;
    bool previousIsUnknown = false;
    for (const char byte : piece) {
        const auto& known = m_byteIds[static_cast<unsigned char>(byte)];
        const bool isFused = previousIsUnknown && m_unknowns == Unknowns::Fused;
        if (known)
            symbols.push_back(*known);
        else if (m_unknown && !isFused)
            symbols.push_back(*m_unknown);
        previousIsUnknown = !known;
    }
    const std::vector<int> merged = m_merges.applied(symbols);
    ids.insert(ids.end(), merged.begin(), merged.end());
}

} // namespace maskscope
