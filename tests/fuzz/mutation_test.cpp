// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged input must end in a Failure with one sentence, or work: never in anything else. Run under
// the asan preset these also find what happens to end well.
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/model/safetensors.h"
#include "core/text/prompt.h"
#include "core/text/text_stream.h"
#include "tests/fuzz/mutation.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

using test::contentOf;
using test::Mutation;

const std::string kCases = MASKSCOPE_TEST_DATA "/cases/";

/// Counts which of the two right endings a job had.
class Endings {
public:
    template <class Job>
    void run(Job job) {
        try {
            job();
            ++m_worked;
        } catch (const Failure& failure) {
            const std::string& sentence = failure.error().sentence;
            EXPECT_EQ(printable(sentence, sentence.size()), sentence);
            EXPECT_EQ(sentence.substr(sentence.size() - 1), ".");
            ++m_refused;
        }
    }

    /// A test in which one of the two never happened would test little.
    void expectBoth() const {
        EXPECT_GT(m_worked, 10);
        EXPECT_GT(m_refused, 10);
    }

private:
    int m_worked = 0;
    int m_refused = 0;
};

TEST(Mutation, SafetensorsFilesLoadOrAreRefused) {
    const test::TemporaryFolder folder;
    Endings endings;
    std::uint64_t seed = 0;
    for (const char* file : {"ok_min", "ok_unordered", "ok_utf8_names", "bad_overlap"}) {
        const std::string valid = contentOf(kCases + "safetensors/" + file + ".safetensors");
        for (int i = 0; i < 300; ++i) {
            SCOPED_TRACE("seed " + std::to_string(++seed));
            std::string damaged = Mutation(seed).of(valid);
            // Half of them with a length that fits, so that the header is read at all.
            const std::size_t brace = damaged.find("}}");
            if (seed % 2 == 0 && brace != std::string::npos && brace < 200 && damaged.size() > 8)
                damaged.replace(0, 8, {static_cast<char>(brace + 2 - 8), 0, 0, 0, 0, 0, 0, 0});
            const auto path = folder.write(std::to_string(seed), damaged);
            endings.run([&] {
                const SafetensorsFile read(path);
                for (const StoredTensor& tensor : read.tensors()) {
                    EXPECT_EQ(bytesOf(tensor.dtype, tensor.shape), tensor.bytes.size());
                    std::string copy(tensor.bytes.size(), '\0');
                    std::ranges::transform(tensor.bytes, copy.begin(),
                        [](std::byte byte) { return static_cast<char>(byte); });
                }
            });
        }
    }
    endings.expectBoth();
}

TEST(Mutation, TokenizersLoadOrAreRefused) {
    const std::string text = "I'll find 123 dogs <|mask|>, \xF0\x9F\x98\x80 \n and a  cat.";
    Endings endings;
    std::uint64_t seed = 0;
    for (const char* file : {"digits_bytelevel", "split_regex"}) {
        const std::string valid = contentOf(kCases + "tokenizer/" + file + ".tokenizer.json");
        for (int i = 0; i < 300; ++i) {
            SCOPED_TRACE("seed " + std::to_string(++seed));
            const std::string damaged = Mutation(seed).of(valid);
            endings.run([&] {
                const Tokenizer tokenizer = Tokenizer::parse(damaged, "damaged");
                for (const auto special : {SpecialTokens::AsText, SpecialTokens::AsTokens}) {
                    const auto ids = tokenizer.encode(text, special);
                    const std::string back = tokenizer.decode(ids, ControlTokens::Named);
                    EXPECT_EQ(firstInvalidByte(back), std::string_view::npos);
                }
            });
        }
    }
    endings.expectBoth();
}

TEST(Mutation, TypedTextComesBackOrIsRefused) {
    const Tokenizer tokenizer(kCases + "tokenizer/split_regex.tokenizer.json");
    const std::string valid = "the <|mask|> d\xC3\xB6g\r\n \xE2\x80\xA8 12.5 \xF0\x9F\x98\x80 I'll";
    Endings endings;
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const std::string text = Mutation(seed).of(valid);
        endings.run([&] {
            const auto ids = tokenizer.encode(text, SpecialTokens::AsText);
            for (const int id : ids)
                EXPECT_FALSE(tokenizer.isSpecial(id));
            EXPECT_EQ(tokenizer.decode(ids, ControlTokens::Hidden), text);
        });
    }
    endings.expectBoth();
}

TEST(Mutation, AnyTokensStreamAsTheyDecode) {
    const Tokenizer tokenizer(kCases + "tokenizer/digits_bytelevel.tokenizer.json");
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Mutation random(seed);
        std::vector<int> ids(random.below(24));
        for (int& id : ids)
            id = static_cast<int>(random.below(std::size_t(tokenizer.idLimit())));
        TextStream stream;
        std::string shown;
        for (const int id : ids)
            shown += stream.push(tokenizer.bytesOf(id));
        shown += stream.finish();
        EXPECT_EQ(shown, tokenizer.decode(ids, ControlTokens::Named));
        EXPECT_EQ(firstInvalidByte(shown), std::string_view::npos);
    }
}

} // namespace
} // namespace maskscope
