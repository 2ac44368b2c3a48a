// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/request.h"
#include "core/mask/mask.h"
#include "core/memory/sample.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace maskscope {

enum class Stage { Load, Image, Vision, Prefill, Decode, Mask };
std::string_view nameOf(Stage stage); ///< "load", "image", "vision", "prefill", "decode", "mask"
std::optional<Stage> stageFrom(std::string_view name);

struct StageBegan {
    Stage stage;
};

/// Stages nest: a mask inside decode. A parent's peak includes its children's.
struct StageEnded {
    Stage stage;
    double ms = 0;
    std::int64_t extraPeakBytes = 0; ///< highest live bytes inside minus live bytes at its start
    std::int64_t liveBytes = 0; ///< at its end
};

struct StageProgress {
    Stage stage;
    double fraction = 0; ///< 0..1
};

/// One answer token. `text` holds only complete UTF-8 characters and may be empty; a special
/// token's text is empty except for the mask token, which is the reference to a mask.
struct TokenProduced {
    int id = 0;
    std::string text;
    int index = 0; ///< position in the answer
    bool isMask = false; ///< this token is a <|mask|>
};

struct MaskProduced {
    std::shared_ptr<const Mask> mask;
};

enum class LogitsOf { Token, Mask };

/// The numbers from which a token was chosen or a mask was cut, if RunSettings::logits asks.
struct LogitsProduced {
    LogitsOf of = LogitsOf::Token;
    int index = 0; ///< of the token in the answer, or of the mask
    int width = 0; ///< of the mask's logits, or the size of the vocabulary
    int height = 1;
    std::string digest; ///< of the float32 numbers: the same only for the same numbers
    std::shared_ptr<const std::vector<float>> values; ///< [height, width]; null with Digests
};

struct MemoryMeasured {
    MemorySample sample;
};

/// Of each rank of a ring that is in this process.
struct RankMeasured {
    RankSample sample;
};

enum class Outcome { Finished, Cancelled };

struct AttentionReport {
    AttentionPath requested = AttentionPath::Auto;
    AttentionPath used = AttentionPath::Sdpa;
    std::string reason; ///< why used differs from requested; empty when it does not
};

/// What one rank of a ring held at most: its share of patches, of the result and its staging.
struct RankMemory {
    std::string device;
    std::int64_t peakBytes = 0; ///< live tensor bytes of this rank alone

    bool operator==(const RankMemory&) const = default;
};

/// What a finished or cancelled run was, immutable.
struct Report {
    Outcome outcome = Outcome::Finished;
    std::string answer; ///< as shown: masks as "<|mask|>"
    std::vector<int> tokens;
    bool answerCut = false; ///< at RunSettings::maxNewTokens, or where the model's positions end
    std::vector<std::shared_ptr<const Mask>> masks;
    /// Of one positive click alone: the different masks that it may mean, the likeliest first; a
    /// request with their index as its meaning goes on from there.
    std::vector<std::shared_ptr<const Mask>> candidates;
    AttentionReport attention;
    KvCacheMode kvCache = KvCacheMode::On;
    Precision precision = Precision::Float32; ///< used, never Auto
    std::string device = "cpu";
    int patches = 0; ///< of the largest image
    std::int64_t predictedPeakBytes = 0; ///< preflight's, live bytes above those after loading
    std::map<Stage, std::int64_t> extraPeakBytes; ///< greatest per stage
    /// The same from shapes alone, for an answer of as many tokens; of a finished run.
    std::map<Stage, std::int64_t> predictedExtraPeakBytes;
    std::vector<RankMemory> ranks; ///< of a ring, in their order; empty for other paths
    std::map<Stage, double> ms; ///< sum per stage
    double timeToFirstTokenMs = 0;
    double tokensPerSecond = 0;
    std::uint64_t seed = 0;
};

struct Done {
    std::shared_ptr<const Report> report;
};

struct Failed {
    Error error;
};

using EventPayload = std::variant<StageBegan, StageEnded, StageProgress, TokenProduced,
    MaskProduced, LogitsProduced, MemoryMeasured, RankMeasured, Done, Failed>;

/// Exactly one Done or Failed ends a request's events.
struct Event {
    std::uint64_t request = 0; ///< Request::number
    double tMs = 0; ///< since the request started
    EventPayload payload;
};

/// Called on the worker's thread (MemoryMeasured and RankMeasured possibly on
/// the sampler's); must not block.
using EventSink = std::function<void(const Event&)>;

} // namespace maskscope
