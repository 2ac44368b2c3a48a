// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"

#include <nlohmann/json.hpp>

#include <set>

namespace maskscope {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t kMostNumber = 1 << 24; ///< beyond any model; keeps products in 63 bits

[[noreturn]] void refuse(std::string_view origin, const std::string& what) {
    throw Failure(ErrorKind::Model, std::string(origin) + ": " + what);
}

/// One object of the file; reads numbers of known range.
class Section {
public:
    Section(const Json& json, std::string name, std::string_view origin)
        : m_json(json)
        , m_name(std::move(name))
        , m_origin(origin) {
        if (!json.is_object())
            refuse(origin, (m_name.empty() ? "the file" : m_name) + " must be a JSON object.");
    }

    Section inner(const char* key) const {
        if (!m_json.contains(key))
            refuse(m_origin, "\"" + std::string(key) + "\" is missing.");
        return Section(m_json[key], key, m_origin);
    }

    std::int64_t whole(const char* key, std::int64_t low, std::int64_t high = kMostNumber) const {
        const auto& value = at(key);
        if (!value.is_number_integer())
            refuse(m_origin, full(key) + " is " + value.dump() + "; it must be a whole number.");
        // Compared as a double, because numbers beyond 63 bits would wrap.
        const auto number = value.get<std::int64_t>();
        if (value.get<double>() < double(low) || value.get<double>() > double(high))
            refuse(m_origin,
                full(key) + " is " + value.dump() + "; it must be from " + std::to_string(low)
                    + " to " + std::to_string(high) + ".");
        return number;
    }

    double positive(const char* key) const {
        const auto& value = at(key);
        if (!value.is_number() || !(value.get<double>() > 0) || value.get<double>() > 1e12)
            refuse(m_origin, full(key) + " is " + value.dump() + "; it must be a number above 0.");
        return value.get<double>();
    }

    const Json& at(const char* key) const {
        if (!m_json.contains(key))
            refuse(m_origin, full(key) + " is missing.");
        return m_json[key];
    }

    std::string full(const char* key) const {
        return "\"" + (m_name.empty() ? "" : m_name + ".") + key + "\"";
    }

private:
    const Json& m_json;
    std::string m_name;
    std::string_view m_origin;
};

LanguageConfig languageFrom(const Section& section, std::string_view origin) {
    LanguageConfig config;
    config.vocabulary = section.whole("vocab_size", 1);
    config.width = section.whole("hidden_size", 1, 65536);
    config.layers = section.whole("num_hidden_layers", 1, 1024);
    config.heads = section.whole("num_attention_heads", 1, 4096);
    config.kvHeads = section.whole("num_key_value_heads", 1, 4096);
    config.headDim = section.whole("head_dim", 2, 4096);
    config.mlpWidth = section.whole("intermediate_size", 1);
    config.mostPositions = section.whole("max_position_embeddings", 1);
    config.normEpsilon = section.positive("rms_norm_eps");
    config.ropeBase = section.positive("rope_theta");
    if (config.heads % config.kvHeads != 0)
        refuse(origin,
            section.full("num_attention_heads") + " is " + std::to_string(config.heads)
                + "; it must be a multiple of num_key_value_heads, "
                + std::to_string(config.kvHeads) + ".");
    if (config.headDim % 2 != 0)
        refuse(origin,
            section.full("head_dim") + " is " + std::to_string(config.headDim)
                + "; rotary positions need an even number.");
    return config;
}

void divide(const Section& section, const char* key, std::int64_t width, std::int64_t heads,
    std::string_view origin) {
    if (width % heads != 0)
        refuse(origin,
            section.full(key) + " is " + std::to_string(heads) + "; it must divide the width "
                + std::to_string(width) + ".");
}

std::vector<std::string> classesFrom(const Section& root, std::string_view origin) {
    const auto& list = root.at("classes");
    if (!list.is_array() || list.empty() || list.size() > 100000)
        refuse(origin, "\"classes\" must be a list of names.");
    std::vector<std::string> classes;
    std::set<std::string> seen;
    for (const auto& name : list) {
        if (!name.is_string() || name.get<std::string>().empty())
            refuse(origin, "\"classes\" holds " + name.dump() + "; every entry must be a name.");
        if (!seen.insert(name.get<std::string>()).second)
            refuse(origin, "\"classes\" holds " + name.dump() + " twice.");
        classes.push_back(name.get<std::string>());
    }
    return classes;
}

} // namespace

LensConfig parseLensConfig(std::string_view text, std::string_view origin) {
    const auto json = parseStrictJson(text, origin);
    const Section root(json, "", origin);
    if (root.at("model_type") != "maskscope_lens")
        refuse(origin,
            "\"model_type\" is " + root.at("model_type").dump()
                + "; it must be \"maskscope_lens\".");
    LensConfig config;
    config.language = languageFrom(root.inner("text_config"), origin);
    const auto vision = root.inner("vision_config");
    config.vision.width = vision.whole("hidden_size", 4, 65536);
    config.vision.blocks = vision.whole("num_blocks", 0, 1024);
    config.vision.tokenSide = vision.whole("token_side", 2, 1024);
    const auto mask = root.inner("mask_config");
    config.mask.width = mask.whole("hidden_size", 1, 65536);
    config.mask.heads = mask.whole("num_attention_heads", 1, 4096);
    config.mask.contextBlocks = mask.whole("num_context_blocks", 0, 1024);
    config.mask.queryBlocks = mask.whole("num_query_blocks", 0, 1024);
    if (config.vision.width != config.language.width)
        refuse(origin,
            "\"vision_config.hidden_size\" is " + std::to_string(config.vision.width)
                + "; it must equal text_config.hidden_size, "
                + std::to_string(config.language.width) + ".");
    divide(vision, "hidden_size", config.vision.width, 4, origin);
    divide(mask, "num_attention_heads", config.mask.width, config.mask.heads, origin);
    divide(mask, "num_attention_heads", config.vision.width, config.mask.heads, origin);
    config.classes = classesFrom(root, origin);
    config.mostPixels = root.whole("most_pixels", 1024, 1 << 28);
    config.trainingPixels = root.whole("training_pixels", 1024, config.mostPixels);
    return config;
}

LensConfig readLensConfig(const std::filesystem::path& file) {
    constexpr std::int64_t kMostBytes = 16 << 20;
    const auto bytes = readFile(file, kMostBytes);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return parseLensConfig(text, file.string());
}

std::string writeLensConfig(const LensConfig& config) {
    nlohmann::ordered_json json;
    json["model_type"] = "maskscope_lens";
    json["training_pixels"] = config.trainingPixels;
    json["most_pixels"] = config.mostPixels;
    json["vision_config"]
        = {{"encoder", "efficientnet-lite0"}, {"hidden_size", config.vision.width},
            {"num_blocks", config.vision.blocks}, {"token_side", config.vision.tokenSide}};
    const auto& language = config.language;
    json["text_config"] = {{"model_type", "llama"}, {"vocab_size", language.vocabulary},
        {"hidden_size", language.width}, {"num_hidden_layers", language.layers},
        {"num_attention_heads", language.heads}, {"num_key_value_heads", language.kvHeads},
        {"head_dim", language.headDim}, {"intermediate_size", language.mlpWidth},
        {"max_position_embeddings", language.mostPositions}, {"rms_norm_eps", language.normEpsilon},
        {"rope_theta", language.ropeBase}, {"tie_word_embeddings", true}};
    json["mask_config"]
        = {{"hidden_size", config.mask.width}, {"num_attention_heads", config.mask.heads},
            {"num_context_blocks", config.mask.contextBlocks},
            {"num_query_blocks", config.mask.queryBlocks}};
    json["classes"] = config.classes;
    return json.dump(2) + "\n";
}

} // namespace maskscope
