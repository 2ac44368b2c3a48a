// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "core/base/named.h"
#include "core/compare/logit_pair.h"
#include "core/mask/mask_geometry.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <tuple>

namespace maskscope {

namespace {

constexpr NameTable<PairKind, 3> kKinds{{
    {PairKind::Wiring, "wiring"},
    {PairKind::Path, "path"},
    {PairKind::Input, "input"},
}};

constexpr NameTable<Verdict, 4> kVerdicts{{
    {Verdict::Identical, "identical"},
    {Verdict::Rounding, "rounding"},
    {Verdict::Real, "real"},
    {Verdict::Incomplete, "incomplete"},
}};

/// Differences that a precision explains, in shares of the largest logit: some hundred roundings of
/// 2^-24, 2^-11 and 2^-8 that add up through the layers.
double roundingShare(Precision precision) {
    switch (precision) {
    case Precision::BFloat16:
        return 5e-2;
    case Precision::Float16:
        return 1e-2;
    default:
        return 1e-4;
    }
}

std::string text(const char* format, double value) {
    std::array<char, 64> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

bool sameQuestion(const RunHeader& a, const RunHeader& b) {
    const auto of = [](const RunHeader& h) {
        return std::tie(
            h.modelName, h.image.digest, h.text, h.points, h.boxes, h.meaning, h.device);
    };
    return of(a) == of(b);
}

PairKind kindOf(const RunHeader& a, const RunHeader& b, const Report& ofA, const Report& ofB) {
    if (!sameQuestion(a, b) || ofA.precision != ofB.precision || ofA.patches != ofB.patches)
        return PairKind::Input;
    const bool same = ofA.attention.used == ofB.attention.used && ofA.kvCache == ofB.kvCache
        && a.machine.threads == b.machine.threads
        && a.machine.torchVersion == b.machine.torchVersion
        && a.machine.processor == b.machine.processor;
    return same ? PairKind::Wiring : PairKind::Path;
}

std::optional<int> firstDifference(const std::vector<int>& a, const std::vector<int>& b) {
    const auto [atA, atB] = std::ranges::mismatch(a, b);
    if (atA == a.end() && atB == b.end())
        return std::nullopt;
    return static_cast<int>(atA - a.begin());
}

void raise(std::optional<double>& highest, double value) {
    highest = highest ? std::max(*highest, value) : value;
}

MaskPair pairOf(const Mask& a, const Mask& b, const LogitPair& logits) {
    MaskPair pair{a.index, 0, 0, {}, {}, {}};
    if (a.width != b.width || a.height != b.height)
        return pair;
    pair.iou = iouOf(a.bits, b.bits);
    for (std::size_t i = 0; i < a.bits.size(); ++i)
        pair.differingPixels += a.bits[i] != b.bits[i];
    if (!logits.comparable())
        return pair;
    pair.largestDifference = logits.largestDifference();
    pair.largestLogit = logits.largest();
    if (pair.differingPixels > 0)
        pair.largestLogitWhereDiffering = logits.largestWhereDiffering(a, b);
    return pair;
}

/// Each number of one run has the same digest in the other.
bool allDigestsEqual(const LogitIndex& a, const LogitIndex& b) {
    return a.size() == b.size() && std::ranges::equal(a, b, [](const auto& x, const auto& y) {
        return x.first == y.first && x.second->digest == y.second->digest;
    });
}

bool withinRounding(const Comparison& comparison, double share) {
    const auto within = [&](const auto& difference, const auto& largest) {
        return !difference || !largest || *difference <= share * *largest;
    };
    return within(comparison.largestTokenDifference, comparison.largestTokenLogit)
        && std::ranges::all_of(comparison.masks, [&](const MaskPair& pair) {
               return pair.largestDifference ? within(pair.largestDifference, pair.largestLogit)
                                             : pair.iou > 0.99;
           });
}

std::string masksText(const Comparison& comparison) {
    if (comparison.masksOfFirst != comparison.masksOfSecond)
        return std::to_string(comparison.masksOfFirst) + " masks against "
            + std::to_string(comparison.masksOfSecond);
    double iou = 1;
    std::int64_t pixels = 0;
    std::optional<double> difference, where;
    for (const MaskPair& pair : comparison.masks) {
        iou = std::min(iou, pair.iou);
        pixels += pair.differingPixels;
        if (pair.largestDifference)
            raise(difference, *pair.largestDifference);
        if (pair.largestLogitWhereDiffering)
            raise(where, *pair.largestLogitWhereDiffering);
    }
    std::string words = comparison.masks.empty() ? "no masks"
        : pixels == 0
        ? "masks equal in every pixel"
        : std::to_string(pixels) + " pixels of the masks differ (lowest IoU " + text("%.5f", iou)
            + (where ? ", |logit| up to " + text("%.2g", *where) : "") + " there)";
    if (difference)
        words += ", largest difference of a mask's logit " + text("%.2g", *difference);
    return words;
}

std::string sentenceOf(const Comparison& comparison) {
    const std::string tokens = comparison.firstDifferingToken
        ? "the answers differ from token " + std::to_string(*comparison.firstDifferingToken) + " on"
        : "the same tokens";
    switch (comparison.verdict) {
    case Verdict::Identical:
        return comparison.numbersTold
            ? "Identical: the same tokens, masks and logits, to the bit."
            : "The same tokens and masks; the numbers behind them were not kept.";
    case Verdict::Rounding:
        return "Rounding only: " + tokens + ", " + masksText(comparison) + ".";
    case Verdict::Real:
        return (comparison.kind == PairKind::Wiring ? "Not the same although the computation is: "
                                                    : "A real difference: ")
            + tokens + ", " + masksText(comparison) + ".";
    case Verdict::Incomplete:
        break;
    }
    return "Nothing to compare: one of the runs has no result.";
}

Verdict verdictOf(const Comparison& comparison, bool identical, Precision coarser) {
    if (identical)
        return Verdict::Identical;
    if (comparison.kind == PairKind::Wiring || comparison.firstDifferingToken
        || comparison.masksOfFirst != comparison.masksOfSecond)
        return Verdict::Real;
    return withinRounding(comparison, roundingShare(coarser)) ? Verdict::Rounding : Verdict::Real;
}

} // namespace

std::string_view nameOf(PairKind kind) {
    return nameIn(kKinds, kind);
}

std::string_view nameOf(Verdict verdict) {
    return nameIn(kVerdicts, verdict);
}

Comparison compareRuns(const RunRecord& first, const RunRecord& second) {
    Comparison comparison;
    const Report *a = reportOf(first), *b = reportOf(second);
    if (!a || !b) {
        comparison.verdict = Verdict::Incomplete;
        comparison.sentence = sentenceOf(comparison);
        return comparison;
    }
    comparison.kind = kindOf(first.header, second.header, *a, *b);
    comparison.firstDifferingToken = firstDifference(a->tokens, b->tokens);
    comparison.masksOfFirst = static_cast<int>(a->masks.size());
    comparison.masksOfSecond = static_cast<int>(b->masks.size());
    const LogitIndex ofA = logitsOf(first), ofB = logitsOf(second);
    comparison.numbersTold = !ofA.empty() && !ofB.empty();
    const auto agreed = static_cast<std::size_t>(comparison.firstDifferingToken.value_or(INT_MAX));
    for (std::size_t i = 0; i < std::min({a->tokens.size(), b->tokens.size(), agreed + 1}); ++i)
        if (const LogitPair pair(ofA, ofB, LogitsOf::Token, int(i)); pair.comparable()) {
            raise(comparison.largestTokenDifference, pair.largestDifference());
            raise(comparison.largestTokenLogit, pair.largest());
        }
    for (std::size_t i = 0; i < std::min(a->masks.size(), b->masks.size()); ++i)
        comparison.masks.push_back(
            pairOf(*a->masks[i], *b->masks[i], LogitPair(ofA, ofB, LogitsOf::Mask, int(i))));
    const bool samePixels = std::ranges::all_of(comparison.masks,
        [](const MaskPair& pair) { return pair.differingPixels == 0 && pair.iou > 0; });
    const bool identical = !comparison.firstDifferingToken
        && comparison.masksOfFirst == comparison.masksOfSecond && samePixels
        && allDigestsEqual(ofA, ofB); // both empty where they were not told
    comparison.verdict = verdictOf(comparison, identical, std::max(a->precision, b->precision));
    comparison.sentence = sentenceOf(comparison);
    return comparison;
}

} // namespace maskscope
