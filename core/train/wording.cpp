// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/wording.h"

#include "core/train/class_list.h"
#include "core/train/random_stream.h"

namespace maskscope {

namespace {

constexpr std::array<std::string_view, 202> kNouns{"sofa", "table", "chair", "lamp", "piano",
    "violin", "trumpet", "drum", "carpet", "curtain", "window", "door", "key", "lock", "screw",
    "wrench", "gearbox", "engine", "wheel", "bicycle", "helicopter", "submarine", "tractor",
    "ladder", "bucket", "broom", "shovel", "axe", "saw", "nail", "rope", "chain", "anchor",
    "bridge", "tower", "castle", "church", "temple", "statue", "fountain", "bench", "fence", "wall",
    "roof", "chimney", "brick", "stone", "rock", "mountain", "river", "lake", "island", "desert",
    "forest", "volcano", "snake", "turtle", "lizard", "crocodile", "whale", "dolphin", "shark",
    "octopus", "crab", "lobster", "snail", "spider", "ant", "mosquito", "owl", "eagle", "parrot",
    "swan", "goose", "turkey", "goat", "camel", "zebra", "giraffe", "lion", "wolf", "fox",
    "squirrel", "mouse", "hedgehog", "kangaroo", "koala", "panda", "banana", "grape", "cherry",
    "peach", "pineapple", "watermelon", "melon", "carrot", "potato", "tomato", "onion", "garlic",
    "pepper", "corn", "bread", "cheese", "egg", "sausage", "hamburger", "sandwich", "soup",
    "noodle", "rice", "chocolate", "cookie", "coffee", "tea", "milk", "wine", "beer", "bottle",
    "bowl", "plate", "spoon", "fork", "knife", "pan", "pot", "oven", "fridge", "sink", "bathtub",
    "toilet", "mirror", "towel", "soap", "brush", "comb", "razor", "scissors", "needle", "thread",
    "button", "zipper", "belt", "glove", "scarf", "sock", "coat", "dress", "skirt", "trousers",
    "ring", "necklace", "crown", "helmet", "mask", "sword", "shield", "bow", "arrow", "gun",
    "cannon", "bomb", "candle", "torch", "battery", "bulb", "cable", "plug", "radio", "television",
    "computer", "keyboard", "printer", "robot", "satellite", "telescope", "microscope", "magnet",
    "thermometer", "syringe", "pill", "bandage", "crutch", "wheelchair", "stroller", "cradle",
    "pillow", "blanket", "mattress", "tent", "backpack", "suitcase", "wallet", "ticket", "stamp",
    "envelope", "letter", "newspaper", "map", "flagpole", "compass", "calendar"};

constexpr std::array<std::string_view, 16> kStarts{
    "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st", "tr"};
constexpr std::array<std::string_view, 8> kMiddles{"a", "e", "i", "o", "u", "oo", "ai", "ea"};
constexpr std::array<std::string_view, 8> kEnds{"", "n", "r", "l", "t", "m", "ck", "x"};

} // namespace

std::string strangeWord(RandomStream& random) {
    if (random.chance(0.5))
        return std::string(random.pick(kNouns));
    std::string word;
    for (int syllables = random.between(2, 3); syllables > 0; --syllables) {
        word += random.pick(kStarts);
        word += random.pick(kMiddles);
    }
    word += random.pick(kEnds);
    return word;
}

std::string withArticle(std::string_view singular) {
    const bool vowel = !singular.empty()
        && std::string_view("aeiou").find(singular.front()) != std::string_view::npos;
    return (vowel ? "an " : "a ") + std::string(singular);
}

std::string numberWord(int count) {
    static constexpr std::array<std::string_view, 11> kWords{
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
    return count >= 0 && count < static_cast<int>(kWords.size())
        ? std::string(kWords[static_cast<std::size_t>(count)])
        : std::to_string(count);
}

const std::string& wordOf(const ObjectClass& kind, Number number) {
    return number == Number::Singular ? kind.singular : kind.plural;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

void putClass(std::string& text, const ObjectClass& kind, Number number) {
    replaceAll(text, "{s}", kind.singular);
    replaceAll(text, "{p}", kind.plural);
    replaceAll(text, "{a}", withArticle(kind.singular));
    replaceAll(text, "{n}", wordOf(kind, number));
}

} // namespace maskscope
