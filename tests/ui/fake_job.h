// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/worker.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// What the fake model answers; a "<|mask|>" among the pieces is a mask token.
struct FakeAnswer {
    std::vector<std::string> pieces{
        "The", " cat", " <|mask|>", " sits", " by", " a", " cup", " <|mask|>", "."};
    std::vector<std::string> labels{"cat", "cup"};
    std::chrono::milliseconds perToken{0};
    std::chrono::milliseconds perStage{0};
    std::optional<Error> failure; ///< after the vision stage
    std::chrono::milliseconds deafTo{0}; ///< goes on for so long after a stop
    bool lastMaskEmpty = false;
    int candidates = 0; ///< of a click without words
};

/// A model that answers without a model: the same events in the same order as the engine's, with
/// masks and memory that a test can foretell. Every request takes the answer that is set when it
/// starts; tests may set another one at any time.
class FakeModel {
public:
    FakeAnswer answer() const;
    void setAnswer(FakeAnswer answer);
    /// Requests that were started so far.
    std::vector<Request> requests() const;
    static Worker::JobFactory factoryFor(const std::shared_ptr<FakeModel>& model);

    static constexpr std::int64_t kMiB = 1 << 20;
    static constexpr std::int64_t kWeights = 52 * kMiB;
    static constexpr std::int64_t kVisionPeak = 96 * kMiB;
    static constexpr std::int64_t kRankPeak = 6 * kMiB; ///< of rank 0 of a ring; others have more
    static constexpr std::int64_t kProcess = 610 * kMiB;
    static constexpr std::int64_t kTooMuch = kMiB / 2; ///< that predictions are above the peaks

private:
    void run(const Request& request, const EventSink& sink);

    mutable std::mutex m_mutex;
    FakeAnswer m_answer;
    std::vector<Request> m_requests;
};

/// An ellipse; its area and box follow from its pixels.
Mask ellipse(int width, int height, double centreX, double centreY, double radiusX, double radiusY);

} // namespace maskscope
