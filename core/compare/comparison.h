// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// What two runs have in common, and with it what may differ between their results.
enum class PairKind {
    Wiring, ///< the same computation, reached in another way: not a bit may differ
    Path, ///< the same mathematics in another order: rounding may differ
    Input, ///< another precision, size, model, picture or request: results may really differ
    Unknown, ///< one of the runs has no result, so that nobody knows how it was computed
};

enum class Verdict {
    Identical, ///< all tokens, masks and numbers, to the bit
    Rounding, ///< the numbers differ as far as their precision explains
    Real, ///< they differ by more
    Incomplete, ///< one of the runs has no result
    Unrelated, ///< they were asked different things: a difference says nothing of the computation
};

/// The nth mask of two runs.
struct MaskPair {
    int index = 0;
    double iou = 1;
    std::int64_t differingPixels = 0;
    /// Largest difference of two logits at one place; absent where they were not kept or have
    /// different sizes.
    std::optional<double> largestDifference;
    std::optional<double> largestLogit; ///< by magnitude, of both
    /// Largest magnitude of a logit at a pixel that is in one mask only; absent where there is
    /// none.
    std::optional<double> largestLogitWhereDiffering;
};

struct Comparison {
    PairKind kind = PairKind::Unknown;
    Verdict verdict = Verdict::Incomplete;
    std::string sentence; ///< says the verdict with its figures
    std::optional<int> firstDifferingToken;
    std::optional<double> largestTokenDifference; ///< of logits, up to the first differing token
    std::optional<double> largestTokenLogit; ///< by magnitude
    std::vector<MaskPair> masks; ///< those that both have of the same picture
    bool numbersTold = false; ///< the digests of both runs' logits are there
    int masksOfFirst = 0;
    int masksOfSecond = 0;
};

std::string_view nameOf(PairKind kind); ///< "wiring", "path", "input", "unknown"
/// "identical", "rounding", "real", "incomplete", "unrelated"
std::string_view nameOf(Verdict verdict);

/// Compares the results of two runs, past or present.
Comparison compareRuns(const RunRecord& first, const RunRecord& second);

} // namespace maskscope
