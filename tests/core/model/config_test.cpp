// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

LensConfig valid() {
    LensConfig config;
    config.language.vocabulary = 1000;
    config.classes = {"cat", "traffic light"};
    return config;
}

/// The sentence for a valid configuration with one value replaced ("text_config/head_dim").
std::string sentenceFor(const std::string& pointer, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(writeLensConfig(valid()));
    json[nlohmann::json::json_pointer("/" + pointer)] = value;
    try {
        parseLensConfig(json.dump(), "config.json");
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Model);
        return failure.what();
    }
    return "accepted";
}

void expectNamed(const std::string& pointer, const nlohmann::json& value) {
    const auto sentence = sentenceFor(pointer, value);
    EXPECT_NE(sentence.find("config.json"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(pointer.substr(pointer.rfind('/') + 1)), std::string::npos) << sentence;
}

} // namespace

TEST(LensConfig, ReadsWhatItWrote) {
    auto config = valid();
    config.language.layers = 7;
    config.mask.heads = 4;
    config.vision.tokenSide = 8;
    config.trainingPixels = 65536;
    const auto read = parseLensConfig(writeLensConfig(config), "config.json");
    EXPECT_EQ(writeLensConfig(read), writeLensConfig(config));
    EXPECT_EQ(read.language.layers, 7);
    EXPECT_EQ(read.classes, config.classes);
    EXPECT_EQ(read.classCount(), 4);
}

TEST(LensConfig, IgnoresWhatItDoesNotKnow) {
    EXPECT_EQ(sentenceFor("text_config/attention_bias", false), "accepted");
}

TEST(LensConfig, NamesTheValueThatCannotBe) {
    expectNamed("model_type", "llama");
    expectNamed("text_config/vocab_size", 0);
    expectNamed("text_config/hidden_size", -4);
    expectNamed("text_config/hidden_size", 18446744073709551615ULL);
    expectNamed("text_config/num_hidden_layers", 2.5);
    expectNamed("text_config/num_hidden_layers", nullptr);
    expectNamed("text_config/num_hidden_layers", "4");
    expectNamed("text_config/num_key_value_heads", 4);
    expectNamed("text_config/head_dim", 31);
    expectNamed("text_config/rms_norm_eps", 0);
    expectNamed("text_config/rope_theta", -1);
    expectNamed("vision_config/hidden_size", 96);
    expectNamed("mask_config/num_attention_heads", 7);
    expectNamed("mask_config/num_attention_heads", 0);
    expectNamed("classes", nlohmann::json::array());
    expectNamed("classes", {"cat", 3});
    expectNamed("classes", {"cat", "cat"});
    expectNamed("training_pixels", 100);
    expectNamed("text_config", 3);
}

TEST(LensConfig, NamesTheKeyThatIsMissing) {
    auto json = nlohmann::json::parse(writeLensConfig(valid()));
    json["text_config"].erase("head_dim");
    try {
        parseLensConfig(json.dump(), "config.json");
        FAIL();
    } catch (const Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("text_config.head_dim"), std::string::npos);
    }
}

TEST(LensConfig, RefusesWhatIsNoJson) {
    EXPECT_THROW(parseLensConfig("{", "config.json"), Failure);
    EXPECT_THROW(parseLensConfig("", "config.json"), Failure);
    EXPECT_THROW(parseLensConfig("[]", "config.json"), Failure);
    EXPECT_THROW(readLensConfig("/nonexistent/config.json"), Failure);
}

} // namespace maskscope
