// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generate/generator.h"

#include "core/base/cancelled.h"
#include "core/base/error.h"
#include "core/model/weights.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace maskscope {
namespace {

/// A small model with drawn weights: its answers mean nothing but are always the same.
class GeneratorTest : public testing::Test {
protected:
    static constexpr int kVocabulary = 1536;

    static LanguageConfig config() {
        LanguageConfig config;
        config.vocabulary = kVocabulary;
        config.width = 32;
        config.layers = 2;
        config.heads = 4;
        config.kvHeads = 2;
        config.headDim = 8;
        config.mlpWidth = 48;
        return config;
    }

    static Tokenizer tokenizer() {
        return Tokenizer(
            std::filesystem::path(MASKSCOPE_RESOURCES) / "models/lens-small/tokenizer.json");
    }

    AnswerEnding answer(LanguageSession& session, Generator::Tokens tokens, int most,
        const std::stop_token& stop = {}) {
        const c10::InferenceMode inference;
        const at::Tensor prompt = at::arange(1, 9, at::kLong).unsqueeze(0); // [1, 8]
        at::Tensor last = session.feed(m_model.embed(prompt), stop);
        Sampler sampler(m_sampling);
        const Tokenizer names = tokenizer();
        return Generator(m_model, names, tokens)
            .run(
                session, last, sampler, most,
                [&](const AnswerToken& token) { m_tokens.push_back(token); }, stop);
    }

    std::vector<int> ids() const {
        std::vector<int> ids;
        for (const AnswerToken& token : m_tokens)
            ids.push_back(token.id);
        return ids;
    }

    Weights m_weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 3);
    LanguageModel m_model{m_weights, config(), "language."};
    Sampling m_sampling;
    std::vector<AnswerToken> m_tokens;
    static constexpr Generator::Tokens kNever{-1, -1};
};

TEST_F(GeneratorTest, GivesTheSameTokensWithAndWithoutACache) {
    answer(*cachedSession(m_model, 64), kNever, 40);
    const std::vector<int> cached = ids();
    ASSERT_EQ(cached.size(), 40U);
    m_tokens.clear();
    answer(*uncachedSession(m_model, 64), kNever, 40);
    EXPECT_EQ(ids(), cached);
}

TEST_F(GeneratorTest, AsksAnewBehindWhatWasReadOnce) {
    const c10::InferenceMode inference;
    const auto tokens = [this](std::int64_t from, std::int64_t to) {
        return m_model.embed(at::arange(from, to, at::kLong).unsqueeze(0));
    };
    for (auto* make : {cachedSession, uncachedSession}) {
        const auto fresh = make(m_model, 64);
        fresh->feed(tokens(1, 9), {});
        const at::Tensor wanted = fresh->feed(tokens(20, 25), {});

        const auto session = make(m_model, 64);
        session->feed(tokens(1, 9), {});
        session->feed(tokens(30, 37), {}); // to be forgotten
        session->truncate(8);
        EXPECT_EQ(session->length(), 8);
        EXPECT_TRUE(at::allclose(session->feed(tokens(20, 25), {}), wanted, 1e-5, 1e-6));
        session->truncate(0);
        EXPECT_EQ(session->length(), 0);
    }
}

TEST_F(GeneratorTest, EndsAtTheEndTokenWithoutGivingIt) {
    m_sampling = {2.0, 0, 1.0, 5};
    answer(*cachedSession(m_model, 64), kNever, 40);
    const std::vector<int> all = ids();
    const int end = all[17];
    const auto first = std::find(all.begin(), all.end(), end);
    m_tokens.clear();
    const AnswerEnding ending = answer(*cachedSession(m_model, 64), {end, -1}, 40);
    EXPECT_EQ(ending.end, AnswerEnd::EndToken);
    EXPECT_EQ(ids(), std::vector<int>(all.begin(), first));
}

TEST_F(GeneratorTest, SaysWhichLimitEndedTheAnswer) {
    EXPECT_EQ(answer(*cachedSession(m_model, 64), kNever, 5).end, AnswerEnd::LengthLimit);
    EXPECT_EQ(m_tokens.size(), 5U);
    m_tokens.clear();
    // 8 tokens of prompt leave room for 4.
    EXPECT_EQ(answer(*cachedSession(m_model, 12), kNever, 50).end, AnswerEnd::ContextFull);
    EXPECT_EQ(m_tokens.size(), 4U);
}

TEST_F(GeneratorTest, GivesTheStateOfAMaskTokenThatIsTheLast) {
    answer(*cachedSession(m_model, 64), kNever, 3);
    const int third = ids()[2];
    m_tokens.clear();
    answer(*cachedSession(m_model, 64), {-1, third}, 3);
    ASSERT_EQ(m_tokens.size(), 3U);
    ASSERT_TRUE(m_tokens[2].maskState.defined());
    EXPECT_EQ(m_tokens[2].maskState.sizes(), at::IntArrayRef({32}));
    // The state is the output where the mask token is the input: the same as feeding all at once.
    const c10::InferenceMode inference;
    std::vector<std::int64_t> fed{1, 2, 3, 4, 5, 6, 7, 8};
    for (const int id : ids())
        fed.push_back(id);
    const at::Tensor all = at::tensor(fed).unsqueeze(0);
    const at::Tensor state = uncachedSession(m_model, 64)->feed(m_model.embed(all), {});
    EXPECT_TRUE(at::allclose(state, m_tokens[2].maskState, 1e-4, 1e-5));
}

TEST_F(GeneratorTest, RepeatsAnAnswerForTheSameSeedOnly) {
    m_sampling = {1.5, 0, 1.0, 11};
    std::set<std::vector<int>> answers;
    for (const std::uint64_t seed : {11, 11, 12}) {
        m_sampling.seed = seed;
        m_tokens.clear();
        answer(*cachedSession(m_model, 64), kNever, 20);
        answers.insert(ids());
    }
    EXPECT_EQ(answers.size(), 2U);
}

TEST_F(GeneratorTest, StopsWhenAskedAndKeepsWhatItGave) {
    std::stop_source stop;
    const c10::InferenceMode inference;
    const auto session = cachedSession(m_model, 64);
    const at::Tensor prompt = at::arange(1, 9, at::kLong).unsqueeze(0);
    const at::Tensor last = session->feed(m_model.embed(prompt), {});
    Sampler sampler(m_sampling);
    const Tokenizer names = tokenizer();
    const auto onToken = [&](const AnswerToken& token) {
        m_tokens.push_back(token);
        if (token.index == 6)
            stop.request_stop();
    };
    EXPECT_THROW(Generator(m_model, names, kNever)
                     .run(*session, last, sampler, 40, onToken, stop.get_token()),
        Cancelled);
    EXPECT_EQ(m_tokens.size(), 7U);
}

TEST_F(GeneratorTest, SaysWhatItIsPromptedAndGoesOnFromThere) {
    const c10::InferenceMode inference;
    const Tokenizer names = tokenizer();
    const auto answer = [&](const Generator::Prompter& prompter) {
        const auto session = cachedSession(m_model, 64);
        const at::Tensor last = session->feed(m_model.embed(at::zeros({1, 1}, at::kLong)), {});
        Sampler sampler(m_sampling);
        m_tokens.clear();
        Generator(m_model, names, kNever)
            .run(
                *session, last, sampler, 8,
                [&](const AnswerToken& token) { m_tokens.push_back(token); }, {}, prompter);
        std::vector<int> ids;
        for (const AnswerToken& token : m_tokens)
            ids.push_back(token.id);
        return ids;
    };
    const auto free = answer({});
    const auto prompted = answer([&] {
        return m_tokens.size() == 2 ? std::vector<int>{5, 3} : std::vector<int>{};
    });
    ASSERT_EQ(prompted.size(), free.size());
    EXPECT_TRUE(std::equal(free.begin(), free.begin() + 2, prompted.begin()));
    EXPECT_EQ(prompted[2], 5);
    EXPECT_EQ(prompted[3], 3);
    // What was prompted has been fed like the model's own words: prompting those changes nothing.
    const auto own = answer([&] {
        return m_tokens.size() == 2 ? std::vector<int>{free[2], free[3]} : std::vector<int>{};
    });
    EXPECT_EQ(own, free);
}

TEST_F(GeneratorTest, LetsEvidenceSpeakForATokenFromTheStateBeforeIt) {
    const c10::InferenceMode inference;
    const auto session = cachedSession(m_model, 64);
    const at::Tensor prompt = at::arange(1, 9, at::kLong).unsqueeze(0); // [1, 8]
    const at::Tensor last = session->feed(m_model.embed(prompt), {});
    Sampler sampler(m_sampling);
    const Tokenizer names = tokenizer();
    std::vector<at::Tensor> states;
    Generator(m_model, names, kNever)
        .run(
            *session, last, sampler, 3,
            [&](const AnswerToken& token) { m_tokens.push_back(token); }, {}, {},
            [&](const at::Tensor& state) {
                states.push_back(state);
                at::Tensor evidence = at::zeros({kVocabulary});
                evidence[std::int64_t(7 + states.size())] = 1000;
                return evidence;
            });
    EXPECT_EQ(ids(), (std::vector<int>{8, 9, 10}));
    EXPECT_TRUE(states.front().equal(last));
    at::Tensor wanted = m_model.logits(states[1]);
    wanted[9] += 1000;
    EXPECT_TRUE(m_tokens[1].logits.equal(wanted));
}

TEST_F(GeneratorTest, RefusesNumbersThatAreNone) {
    const c10::InferenceMode inference;
    const auto session = cachedSession(m_model, 64);
    const at::Tensor last = at::full({32}, std::numeric_limits<float>::quiet_NaN());
    Sampler sampler(m_sampling);
    const Tokenizer names = tokenizer();
    try {
        Generator(m_model, names, kNever).run(*session, last, sampler, 40, [](const auto&) {}, {});
        ADD_FAILURE() << "nothing was refused";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Model);
    }
}

} // namespace
} // namespace maskscope
