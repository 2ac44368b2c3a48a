// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/strict_json.h"
#include "core/base/utf8.h"
#include "core/text/byte_pair_model.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/text_stream.h"
#include "core/text/vocabulary.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& reason) {
    throw Failure(ErrorKind::Model, reason);
}

const Json& partOf(const Json& file, const char* name) {
    static const Json kNull;
    const auto found = file.find(name);
    return found == file.end() ? kNull : *found;
}

bool flagOf(const Json& token, const char* name) {
    const Json& value = partOf(token, name);
    if (!value.is_null() && !value.is_boolean())
        refuse("an added token's " + std::string(name) + " is not true or false");
    return value.is_boolean() && value.get<bool>();
}

AddedToken addedTokenFrom(const Json& description) {
    if (!description.is_object())
        refuse("an added token is not an object");
    const Json& content = partOf(description, "content");
    const Json& id = partOf(description, "id");
    if (!content.is_string() || content.get_ref<const std::string&>().empty())
        refuse("an added token has no content");
    const auto& name = content.get_ref<const std::string&>();
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::numeric_limits<int>::max())
        refuse("its added token \"" + printable(name)
            + "\" has an id that is not a whole number from 0 to 2147483646");
    for (const char* option : {"single_word", "lstrip", "rstrip"})
        if (flagOf(description, option))
            refuse("its added token \"" + printable(name) + "\" uses " + option
                + ", which is not supported");
    return {id.get<int>(), name, flagOf(description, "special"), flagOf(description, "normalized")};
}

std::vector<AddedToken> addedTokensFrom(const Json& file, Vocabulary& vocabulary) {
    const Json& list = partOf(file, "added_tokens");
    if (!list.is_null() && !list.is_array())
        refuse("its added_tokens are not a list");
    std::vector<AddedToken> tokens;
    for (const Json& description : list) {
        tokens.push_back(addedTokenFrom(description));
        const AddedToken& token = tokens.back();
        vocabulary.add(token.id, {token.content, token.content, token.isSpecial});
    }
    return tokens;
}

/// Steps that would change the text or the answer and that this tokenizer does not have.
void refuseOtherSteps(const Json& file) {
    const auto typeOf = [](const Json& step) {
        const Json& type = step.is_object() ? partOf(step, "type") : step;
        return type.is_string() ? printable(type.get_ref<const std::string&>()) : "without a type";
    };
    if (const Json& normalizer = partOf(file, "normalizer"); !normalizer.is_null())
        refuse("its normalizer " + typeOf(normalizer) + " is not supported");
    const Json& decoder = partOf(file, "decoder");
    if (decoder.is_null())
        refuse("it has no decoder; a byte-level vocabulary needs ByteLevel");
    if (typeOf(decoder) != "ByteLevel")
        refuse("its decoder " + typeOf(decoder) + " is not supported; only ByteLevel is");
}

} // namespace

struct Tokenizer::Data {
    explicit Data(const Json& file)
        : model(partOf(file, "model"), vocabulary)
        , added(addedTokensFrom(file, vocabulary))
        , preTokenizer(partOf(file, "pre_tokenizer")) {
        refuseOtherSteps(file);
    }

    const Vocabulary::Token& token(int id) const {
        const Vocabulary::Token* found = vocabulary.find(id);
        if (found == nullptr)
            throw Failure(ErrorKind::Usage,
                "The token id " + std::to_string(id) + " is not in the vocabulary; the greatest is "
                    + std::to_string(vocabulary.idLimit() - 1) + ".");
        return *found;
    }

    Vocabulary vocabulary; ///< filled by the two that follow
    BytePairModel model;
    AddedTokens added;
    PreTokenizer preTokenizer;
};

Tokenizer::Tokenizer(std::shared_ptr<const Data> data)
    : m_data(std::move(data)) { }

Tokenizer::Tokenizer(const std::filesystem::path& file) {
    const MappedFile mapped(file, ErrorKind::Model);
    const auto bytes = mapped.bytes();
    *this = parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file.string());
}

Tokenizer Tokenizer::parse(std::string_view json, std::string_view origin) {
    const std::string start = "Cannot load " + printable(origin) + ": ";
    const Json file = parseStrictJson(json, start + "it");
    if (!file.is_object())
        refuse(start + "it is not a tokenizer.");
    try {
        return Tokenizer(std::make_shared<const Data>(file));
    } catch (const Failure& failure) {
        throw Failure(failure.kind(), start + failure.what() + ".");
    }
}

std::vector<int> Tokenizer::encode(std::string_view text, SpecialTokens special) const {
    if (const std::size_t at = firstInvalidByte(text); at != std::string_view::npos)
        throw Failure(ErrorKind::Usage,
            "The text is not valid UTF-8: its byte " + std::to_string(at + 1)
                + " belongs to no character.");
    std::vector<int> ids;
    for (const AddedTokens::Part& part : m_data->added.split(text, special)) {
        if (part.id) {
            ids.push_back(*part.id);
            continue;
        }
        for (const std::string& piece : m_data->preTokenizer.split(part.text))
            m_data->model.encode(piece, m_data->vocabulary, ids);
    }
    return ids;
}

std::string Tokenizer::decode(std::span<const int> ids, ControlTokens control) const {
    std::string bytes;
    for (const int id : ids) {
        const Vocabulary::Token& token = m_data->token(id);
        if (!token.isSpecial || control == ControlTokens::Named)
            bytes += token.bytes;
    }
    return validUtf8(bytes);
}

const std::string& Tokenizer::bytesOf(int id) const {
    return m_data->token(id).bytes;
}

bool Tokenizer::isSpecial(int id) const {
    const Vocabulary::Token* token = m_data->vocabulary.find(id);
    return token != nullptr && token->isSpecial;
}

std::optional<int> Tokenizer::idOf(std::string_view token) const {
    return m_data->vocabulary.idOf(token);
}

std::optional<std::string> Tokenizer::tokenOf(int id) const {
    const Vocabulary::Token* token = m_data->vocabulary.find(id);
    if (token == nullptr)
        return std::nullopt;
    return token->spelling;
}

int Tokenizer::idLimit() const {
    return m_data->vocabulary.idLimit();
}

} // namespace maskscope
