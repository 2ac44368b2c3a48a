// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/request_maker.h"

#include "core/text/tokenizer.h"
#include "core/train/scene_composer.h"
#include "core/train/wording.h"
#include "tests/core/train/tiny_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace maskscope;

namespace {

const SceneComposer& composer() {
    static const SceneComposer kComposer(test::tinyLibrary());
    return kComposer;
}

const ClassList& classes() {
    return composer().library().classes();
}

/// A scene that holds objects of these classes and nothing else; pixel i belongs to object i.
Scene sceneOf(const std::vector<int>& classIndices) {
    Scene scene;
    scene.image.width = 64;
    scene.image.height = 64;
    for (std::size_t i = 0; i < classIndices.size(); ++i) {
        SceneObject object;
        object.classIndex = classIndices[i];
        object.mask.assign(64 * 64, 0);
        object.mask[i] = 1;
        object.area = 1;
        object.bbox = {static_cast<int>(i), 0, 1, 1};
        scene.objects.push_back(object);
    }
    return scene;
}

int masksIn(const std::string& answer) {
    int count = 0;
    for (std::size_t at = answer.find("<|mask|>"); at != std::string::npos;
         at = answer.find("<|mask|>", at + 1))
        ++count;
    return count;
}

bool mentions(const std::string& text, const std::string& word) {
    return text.find(word) != std::string::npos;
}

} // namespace

TEST(RequestMaker, EveryPlaceholderStandsForOneObjectOrForAllOfMany) {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const Scene scene = composer().compose(SceneSet::Training, seed, 96, 96);
        for (const SceneRequest& request : makeRequests(scene, classes(), seed, 8)) {
            EXPECT_EQ(masksIn(request.answer), static_cast<int>(request.masks.size()));
            EXPECT_EQ(request.text.find('{'), std::string::npos) << request.text;
            EXPECT_EQ(request.answer.find('{'), std::string::npos) << request.answer;
            for (const MaskTarget& target : request.masks) {
                EXPECT_EQ(target.objects.size(),
                    target.phrase.size() > kMostSingleMasks ? target.phrase.size() : 1U);
                for (const int object : target.objects) {
                    EXPECT_EQ(std::ranges::count(target.phrase, object), 1);
                    EXPECT_EQ(scene.objects[static_cast<std::size_t>(object)].classIndex,
                        target.classIndex);
                }
            }
            EXPECT_TRUE(!request.missing || request.masks.empty()) << request.answer;
        }
    }
}

TEST(RequestMaker, AnswersSayWhatIsThere) {
    const Scene scene = sceneOf({1, 1, 3, classes().unknown()}); // two wolves, an apple, something
    std::set<std::string> answers;
    for (const SceneRequest& request : makeRequests(scene, classes(), 3, 900)) {
        answers.insert(request.answer);
        if (request.kind == RequestKind::All) {
            EXPECT_EQ(request.answer, "the wolves : <|mask|><|mask|> , the apple : <|mask|>");
            EXPECT_EQ(request.masks.at(1).objects, (std::vector<int>{1}));
            EXPECT_EQ(request.masks.at(1).phrase, (std::vector<int>{0, 1}));
        }
        if (request.kind == RequestKind::Absent) {
            EXPECT_TRUE(request.masks.empty());
            EXPECT_EQ(scene.countOf(request.askedClasses.at(0)), 0);
        }
    }
    for (const char* answer : {"the wolves : <|mask|><|mask|>", "the apple : <|mask|>",
             "there are two wolves : <|mask|><|mask|>", "there is one apple : <|mask|>",
             "there is no heart", "there is no disc , the wolves : <|mask|><|mask|>",
             "the apple : <|mask|> , the wolves : <|mask|><|mask|>", "사과 : <|mask|>",
             "하트 없습니다"})
        EXPECT_TRUE(answers.count(answer)) << answer;
}

TEST(RequestMaker, ManyAreOneMask) {
    const Scene scene = sceneOf(std::vector<int>(9, 0));
    for (const SceneRequest& request : makeRequests(scene, classes(), 5, 200))
        if (request.kind == RequestKind::Count && !request.missing) {
            EXPECT_EQ(request.answer, "there are many discs : <|mask|>");
            EXPECT_EQ(request.masks.at(0).objects.size(), 9U);
        }
}

TEST(RequestMaker, TellsObjectsOfAClassByColourSizeAndPlace) {
    Scene scene = sceneOf({1, 1, 1});
    const auto set = [&scene](std::size_t i, ObjectColour colour, std::int64_t area, int x) {
        scene.objects[i].colour = colour;
        scene.objects[i].area = area;
        scene.objects[i].bbox = {x, 0, 4, 4};
    };
    set(0, ObjectColour::Red, 100, 40);
    set(1, ObjectColour::Blue, 300, 0);
    set(2, ObjectColour::Red, 200, 20);
    std::map<std::string, std::vector<int>> phrases;
    for (const SceneRequest& request : makeRequests(scene, classes(), 6, 4000))
        if (request.kind == RequestKind::Colour || request.kind == RequestKind::Size
            || request.kind == RequestKind::Place)
            phrases[request.answer.substr(0, request.answer.find(" :"))]
                = request.masks.empty() ? std::vector<int>{} : request.masks[0].phrase;
    const std::map<std::string, std::vector<int>> some{{"the red wolves", {2, 0}},
        {"the blue wolf", {1}}, {"there is no green wolf", {}}, {"the largest wolf", {1}},
        {"the smallest wolf", {0}}, {"the left wolf", {1}}, {"the leftmost wolf", {1}},
        {"the right wolf", {0}}};
    for (const auto& [answer, phrase] : some) {
        ASSERT_TRUE(phrases.count(answer)) << answer;
        EXPECT_EQ(phrases[answer], phrase) << answer;
    }
    EXPECT_FALSE(phrases.count("the top wolf")) << "all are at the same height";
}

TEST(RequestMaker, SaysWhichWordItDoesNotKnow) {
    int strange = 0;
    for (const SceneRequest& request : makeRequests(sceneOf({0}), classes(), 7, 600))
        if (request.kind == RequestKind::Strange) {
            ++strange;
            const std::string start = "i do not know ", end = " ; click it instead";
            ASSERT_TRUE(request.answer.starts_with(start) && request.answer.ends_with(end));
            const auto word = request.answer.substr(
                start.size(), request.answer.size() - start.size() - end.size());
            EXPECT_EQ(classes().indexOf(word), -1) << word;
            std::string text = request.text;
            text[0] = word[0] == text[0] ? text[0] : char(std::tolower(text[0]));
            EXPECT_TRUE(mentions(text, word)) << request.text;
        }
    EXPECT_GT(strange, 5);
}

TEST(RequestMaker, HalfOfTheOneClassRequestsAskForSomethingMissingInEveryWording) {
    std::map<int, std::array<int, 2>> byWording;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Scene scene = sceneOf({static_cast<int>(seed % 4)});
        for (const SceneRequest& request : makeRequests(scene, classes(), seed, 8)) {
            if (request.kind == RequestKind::One)
                ++byWording[request.wording][0];
            if (request.kind == RequestKind::Absent)
                ++byWording[request.wording][1];
        }
    }
    ASSERT_EQ(byWording.size(), kOneWordings.size());
    for (const auto& [wording, counts] : byWording) {
        const double all = counts[0] + counts[1];
        EXPECT_NEAR(counts[1] / all, 0.5, 4 * 0.5 / std::sqrt(all)) << "wording " << wording;
    }
}

TEST(RequestMaker, AboutFourInTenRequestsCountOrAskForSomethingMissing) {
    int some = 0;
    int all = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed)
        for (const SceneRequest& request : makeRequests(sceneOf({0, 0, 2}), classes(), seed, 8)) {
            ++all;
            some += request.kind == RequestKind::Count || request.kind == RequestKind::Absent;
        }
    EXPECT_NEAR(double(some) / all, 0.40, 0.04);
}

TEST(RequestMaker, TheNumberSaidDoesNotTellTheNumberThatIsThere) {
    const Scene two = sceneOf({1, 1});
    int singular = 0;
    for (const SceneRequest& request : makeRequests(two, classes(), 9, 800))
        if (request.kind == RequestKind::One) {
            EXPECT_EQ(request.answer, "the wolves : <|mask|><|mask|>");
            singular += mentions(request.text, "wolf") ? 1 : 0;
        }
    EXPECT_GT(singular, 10);
}

TEST(RequestMaker, WithoutNamedObjectsNothingIsInvented) {
    for (const SceneRequest& request :
        makeRequests(sceneOf({classes().unknown()}), classes(), 1, 100)) {
        EXPECT_TRUE(request.masks.empty());
        EXPECT_TRUE(request.answer == "there is nothing i know"
            || request.answer.rfind("there is no ", 0) == 0
            || request.answer.rfind("i do not know ", 0) == 0)
            << request.answer;
    }
}

TEST(RequestMaker, TeachesMoreOfEverythingThanIsAsked) {
    const Scene scene = sceneOf({0, 0, 2});
    const auto share = [&scene](RequestMix mix, RequestKind kind) {
        const auto requests = makeRequests(scene, classes(), 8, 4000, mix);
        return double(std::ranges::count(requests, kind, &SceneRequest::kind)) / 4000;
    };
    const double all = share(RequestMix::Asked, RequestKind::All);
    EXPECT_NEAR(share(RequestMix::Taught, RequestKind::All), 0.09 + 0.91 * all, 0.02);
    EXPECT_LT(
        share(RequestMix::Taught, RequestKind::One), share(RequestMix::Asked, RequestKind::One));
}

TEST(RequestMaker, SameSeedSameRequests) {
    const Scene scene = sceneOf({0, 1, 1});
    const auto a = makeRequests(scene, classes(), 4, 20);
    const auto b = makeRequests(scene, classes(), 4, 20);
    const auto c = makeRequests(scene, classes(), 5, 20);
    bool differs = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].text, b[i].text);
        EXPECT_EQ(a[i].answer, b[i].answer);
        differs = differs || a[i].text != c[i].text;
    }
    EXPECT_TRUE(differs);
}

TEST(Wording, ArticlesAndNumbers) {
    EXPECT_EQ(withArticle("apple"), "an apple");
    EXPECT_EQ(withArticle("wolf"), "a wolf");
    EXPECT_EQ(numberWord(3), "three");
    EXPECT_EQ(numberWord(12), "12");
}

TEST(TokenizerCorpus, HoldsEveryWordInEnglishAndKorean) {
    std::string corpus;
    for (const std::string& line : tokenizerCorpus(classes())) {
        EXPECT_EQ(line.find('{'), std::string::npos) << line;
        corpus += line + "\n";
    }
    for (const ObjectClass& kind : classes().all())
        for (const std::string& word : {kind.singular, kind.plural, kind.korean})
            EXPECT_TRUE(mentions(corpus, word)) << word;
    EXPECT_TRUE(mentions(corpus, "an apple"));
    EXPECT_TRUE(mentions(corpus, "there are four wolves :"));
}

TEST(ShippedTokenizer, KeepsTheWordsOfEveryClassWhole) {
    const Tokenizer tokenizer(MASKSCOPE_RESOURCES "/models/lens-small/tokenizer.json");
    const std::vector<std::string> control{
        "<|pad|>", "<|image|>", "<|user|>", "<|assistant|>", "<|end|>", "<|mask|>"};
    for (std::size_t i = 0; i < control.size(); ++i)
        EXPECT_EQ(tokenizer.idOf(control[i]), static_cast<int>(i)) << control[i];
    const ClassList shipped = ClassList::load(MASKSCOPE_RESOURCES "/models/classes.json");
    for (const ObjectClass& kind : shipped.all())
        for (const std::string& word : {kind.singular, kind.plural, kind.korean}) {
            const auto blanks = static_cast<std::size_t>(std::count(word.begin(), word.end(), ' '));
            EXPECT_EQ(tokenizer.encode(" " + word, SpecialTokens::AsText).size(), 1 + blanks)
                << word;
        }
}
