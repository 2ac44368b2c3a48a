// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

enum class PointSign { Positive, Negative };

/// A click in continuous coordinates of the upright image: the centre of pixel (0, 0) is (0.5,
/// 0.5).
struct PointPrompt {
    double x = 0;
    double y = 0;
    PointSign sign = PointSign::Positive;

    bool operator==(const PointPrompt&) const = default;
};

/// A box in the same coordinates; x0 < x1 and y0 < y1.
struct BoxPrompt {
    double x0 = 0;
    double y0 = 0;
    double x1 = 0;
    double y1 = 0;

    bool operator==(const BoxPrompt&) const = default;
};

enum class AttentionPath { Auto, Mha, Sdpa, Flash, Ring };
enum class KvCacheMode { On, Off };
enum class MaskPass { Stream, Batch };
enum class Precision { Auto, Float32, BFloat16, Float16 };
enum class Preflight { On, Off };
/// Whether a run also tells the numbers behind its tokens and masks: their digests, so that two
/// runs can be told equal, or the numbers themselves, so that the difference can be measured.
enum class LogitRecord { Off, Digests, Values };

std::string_view nameOf(AttentionPath path); ///< "auto", "mha", "sdpa", "flash", "ring"
std::optional<AttentionPath> attentionPathFrom(std::string_view name);
std::string_view nameOf(Precision precision); ///< "auto", "fp32", "bf16", "fp16"
std::optional<Precision> precisionFrom(std::string_view name);
std::string_view nameOf(KvCacheMode mode); ///< "on", "off"
std::optional<KvCacheMode> kvCacheModeFrom(std::string_view name);
std::string_view nameOf(MaskPass pass); ///< "stream", "batch"
std::optional<MaskPass> maskPassFrom(std::string_view name);

/// How answer tokens are drawn. Temperature 0 is greedy.
struct Sampling {
    double temperature = 0;
    int topK = 0; ///< 0 = off
    double topP = 1; ///< in [0, 1]; 1 = off, 0 = the best token alone
    std::optional<std::uint64_t> seed; ///< drawn and reported when absent
};

/// RunSettings::pixels: those that the image has.
inline constexpr std::int64_t kNativePixels = -1;

struct RunSettings {
    AttentionPath attention = AttentionPath::Auto;
    /// The ranks of AttentionPath::Ring, each a device: "cpu", "cpu". Empty = two ranks on the CPU.
    std::vector<std::string> ringDevices;
    KvCacheMode kvCache = KvCacheMode::On;
    MaskPass maskPass = MaskPass::Stream;
    Precision precision = Precision::Auto;
    Preflight preflight = Preflight::On;
    LogitRecord logits = LogitRecord::Off;
    Sampling sampling;
    /// About how many pixels the model sees, at most what it accepts; 0 = its training size.
    std::int64_t pixels = 0;
    int maxNewTokens = 256;
    int threads = 0; ///< 0 = as the machine has
    std::optional<std::int64_t> memoryLimit; ///< live tensor bytes; absent = 90 % of what is free
};

/// One job. Words, or points, or boxes; words with points refine the best mask of the words.
/// The stop source is made by the caller with the request, so that an early stop is never lost.
struct Request {
    std::uint64_t number = 0;
    std::vector<std::shared_ptr<const Image>> images;
    std::string text; ///< typed by a person: data, never control tokens
    std::vector<PointPrompt> points; ///< all points are one object
    std::vector<BoxPrompt> boxes; ///< several boxes are several objects
    int meaning = 0; ///< of a first click without words: Mask::index of a Report::candidates
    RunSettings settings;
    std::stop_source stop;
};

} // namespace maskscope
