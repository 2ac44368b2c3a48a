// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison.h"

#include "core/base/named.h"
#include "core/base/number_text.h"
#include "core/compare/logit_pair.h"
#include "core/compare/relation.h"
#include "core/mask/mask_geometry.h"

#include <algorithm>

namespace maskscope {

namespace {

constexpr NameTable<PairKind, 4> kKinds{{
    {PairKind::Wiring, "wiring"},
    {PairKind::Path, "path"},
    {PairKind::Input, "input"},
    {PairKind::Unknown, "unknown"},
}};

constexpr NameTable<Verdict, 5> kVerdicts{{
    {Verdict::Identical, "identical"},
    {Verdict::Rounding, "rounding"},
    {Verdict::Real, "real"},
    {Verdict::Incomplete, "incomplete"},
    {Verdict::Unrelated, "unrelated"},
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

std::string countsText(const Comparison& comparison) {
    return std::to_string(comparison.masksOfFirst)
        + (comparison.masksOfFirst == 1 ? " mask against " : " masks against ")
        + std::to_string(comparison.masksOfSecond);
}

std::string masksText(const Comparison& comparison) {
    if (comparison.masksOfFirst != comparison.masksOfSecond)
        return countsText(comparison);
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
        : pixels == 0                            ? "masks equal in every pixel"
                      : std::to_string(pixels) + " pixels of the masks differ (lowest IoU "
            + numberText("%.5f", iou)
            + (where ? ", |logit| up to " + numberText("%.2g", *where) : "") + " there)";
    if (difference)
        words += ", largest difference of a mask's logit " + numberText("%.2g", *difference);
    return words;
}

std::string tokensText(const Comparison& comparison) {
    return comparison.firstDifferingToken
        ? "the answers differ from token " + std::to_string(*comparison.firstDifferingToken) + " on"
        : "the same tokens";
}

/// "the words (…), the precision (…) and the clicks"
std::string listed(const std::vector<std::string>& parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string resultText(const Comparison& comparison) {
    switch (comparison.verdict) {
    case Verdict::Identical:
        return comparison.numbersTold
            ? "Identical: the same tokens, masks and logits, to the bit"
            : "The same tokens and masks; the numbers behind them were not kept";
    case Verdict::Rounding:
        return "Rounding only: " + tokensText(comparison) + ", " + masksText(comparison);
    default:
        return (comparison.kind == PairKind::Wiring ? "Not the same although the computation is: "
                                                    : "A real difference: ")
            + tokensText(comparison) + ", " + masksText(comparison);
    }
}

std::string sentenceOf(const Comparison& comparison, const Relation& relation) {
    if (comparison.verdict == Verdict::Unrelated)
        return "Different questions: the runs differ in " + listed(relation.questions)
            + "; what differs in the results says nothing of the computation: "
            + tokensText(comparison) + ", "
            + (relation.samePicture ? masksText(comparison) : countsText(comparison)) + ".";
    if (relation.inputs.empty())
        return resultText(comparison) + ".";
    return resultText(comparison) + "; the runs differ in " + listed(relation.inputs) + ".";
}

std::string withoutResult(const RunRecord& first, const RunRecord& second) {
    for (const RunRecord* run : {&first, &second})
        if (reportOf(*run) && reportOf(*run)->outcome == Outcome::Cancelled)
            return "Nothing to compare: one of the runs was stopped before its end.";
    return "Nothing to compare: one of the runs has no result.";
}

const Report* resultOf(const RunRecord& run) {
    const Report* report = reportOf(run);
    return report && report->outcome == Outcome::Finished ? report : nullptr;
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
    const Report *a = resultOf(first), *b = resultOf(second);
    if (!a || !b) {
        comparison.sentence = withoutResult(first, second);
        return comparison;
    }
    const Relation relation = relationOf(first, second);
    comparison.kind = relation.kind;
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
    const std::size_t pairs = relation.samePicture ? std::min(a->masks.size(), b->masks.size()) : 0;
    for (std::size_t i = 0; i < pairs; ++i)
        comparison.masks.push_back(
            pairOf(*a->masks[i], *b->masks[i], LogitPair(ofA, ofB, LogitsOf::Mask, int(i))));
    const bool samePixels = std::ranges::all_of(comparison.masks,
        [](const MaskPair& pair) { return pair.differingPixels == 0 && pair.iou > 0; });
    const bool identical = !comparison.firstDifferingToken
        && comparison.masksOfFirst == comparison.masksOfSecond && samePixels
        && (!comparison.numbersTold || allDigestsEqual(ofA, ofB));
    comparison.verdict = relation.questions.empty()
        ? verdictOf(comparison, identical, std::max(a->precision, b->precision))
        : Verdict::Unrelated;
    comparison.sentence = sentenceOf(comparison, relation);
    return comparison;
}

} // namespace maskscope
