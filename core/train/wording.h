// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace maskscope {

class RandomStream;
struct ObjectClass;

/// Wordings of requests. {s} is a class in the singular, {p} in the plural, {n} in the number it
/// has in the picture, {a} the singular with "a" or "an"; {n2} a second class.
inline constexpr std::array<std::string_view, 28> kOneWordings{"segment the {n}", "find the {n}",
    "show the {n}", "show me the {n}", "where is the {s}?", "where are the {p}?", "the {n}", "{n}",
    "mark the {n}", "select the {n}", "cut out the {n}", "outline the {n}", "highlight the {n}",
    "can you find the {n}?", "please segment the {n}", "i want the {n}", "is there {a}?",
    "are there any {p}?", "do you see {a}?", "find {a}", "segment {a}", "segment all {p}",
    "find every {s}", "which part is the {s}?", "and the {n}?", "what about the {n}?",
    "now the {n}", "only the {n}"};

inline constexpr std::array<std::string_view, 6> kCountWordings{"how many {p} are there?",
    "how many {p} do you see?", "count the {p}", "how many {p}?", "count all {p}",
    "what is the number of {p}?"};

inline constexpr std::array<std::string_view, 8> kTwoWordings{"segment the {n} and the {n2}",
    "find the {n} and the {n2}", "the {n} and the {n2}", "show me the {n} and the {n2}",
    "mark the {n} and the {n2}", "where are the {n} and the {n2}?", "{n} and {n2}",
    "select both the {n} and the {n2}"};

inline constexpr std::array<std::string_view, 8> kAllWordings{"segment everything",
    "list every object", "what is in the picture?", "what do you see?", "find all objects",
    "segment all objects", "mark everything", "name and segment all objects"};

/// {d} is what tells the object: a colour ("red"), a size ("largest") or a place ("left").
inline constexpr std::array<std::string_view, 9> kToldWordings{"the {d} {n}", "find the {d} {n}",
    "segment the {d} {n}", "{d} {n}", "show me the {d} {n}", "mark the {d} {n}",
    "where is the {d} {s}?", "only the {d} {n}", "and the {d} {n}?"};
inline constexpr std::array<std::string_view, 3> kSideWordings{
    "the {n} on the {d}", "find the {n} on the {d}", "segment the {n} on the {d}"};

/// {a} is a way to ask for a kind, see ObjectKind.
inline constexpr std::array<std::string_view, 6> kKindWordings{
    "{a}", "find {a}", "segment {a}", "show me {a}", "mark {a}", "where is {a}?"};

/// {k} is the Korean word.
inline constexpr std::array<std::string_view, 6> kKoreanWordings{"{k}", "{k} 찾아 줘",
    "{k} 보여 줘", "{k} 어디 있어?", "이 사진에서 {k} 찾아 줘", "{k} 표시해 줘"};

/// {w} is a word that no class has.
inline constexpr std::array<std::string_view, 8> kStrangeWordings{"segment the {w}", "find the {w}",
    "the {w}", "{w}", "where is the {w}?", "show me the {w}", "how many {w} are there?",
    "is there a {w}?"};

/// The answer to kAllWordings when nothing in the picture has a name.
inline constexpr std::string_view kNothingKnown = "there is nothing i know";

/// Of more objects of a phrase than this all are one mask.
inline constexpr int kMostSingleMasks = 8;

/// Words that people use about pictures beyond the wordings above: whole tokens for them cost
/// little, and a vocabulary cannot grow once weights have been trained on it.
inline constexpr std::array<std::string_view, 12> kFurtherWords{
    "the red orange yellow green blue purple pink brown black white grey gray one",
    "the largest biggest smallest small big large tall thin round one of them",
    "on the left right top bottom middle leftmost rightmost side of it above below next behind "
    "front",
    "an animal animals fruit fruits vehicle vehicles food toy tool clothes plant plants insect "
    "insects",
    "something to eat drink wear read ride that flies swims grows you can play with",
    "i do not know that word ; click it instead",
    "no not only also too but without the other others",
    "what which who why color colour size many most it its this that these those them all each "
    "both",
    "object objects thing things picture image photo mask masks part",
    "빨간 주황 노란 초록 파란 보라 분홍 갈색 검은 하얀 회색",
    "왼쪽 오른쪽 위 아래 가운데 가장 큰 작은 것 모두 몇 개 어디 있어 있습니까 없습니다 찾아 보여 "
    "표시해 줘 분할해",
    "을 를 이 가 은 는 와 과 의 에 도 하나 둘 셋 넷 다섯 여섯 일곱"};

enum class Number { Singular, Plural };
const std::string& wordOf(const ObjectClass& kind, Number number);

void replaceAll(std::string& text, std::string_view from, std::string_view to);

/// Fills {s}, {p}, {a} and {n} of a wording.
void putClass(std::string& text, const ObjectClass& kind, Number number);

/// "a cat", "an apple".
std::string withArticle(std::string_view singular);
/// A word that is no class: half of them English nouns, half made of random syllables.
std::string strangeWord(RandomStream& random);
/// "one" … "ten", then figures.
std::string numberWord(int count);

} // namespace maskscope
