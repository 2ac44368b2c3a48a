// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace CLI {
class Validator;
}

// What a person types, turned into values. Each function throws Failure(Usage) with a sentence that
// names the option, the text and what would be right.
namespace maskscope {

/// "512MiB", "2GB", "1.5 GiB", "4096": decimal and binary units, plain numbers are bytes.
std::int64_t byteCountFrom(std::string_view text, std::string_view option);

/// "X,Y", "X,Y,+" or "X,Y,-".
PointPrompt pointFrom(std::string_view text);

/// "X0,Y0,X1,Y1" with X0 < X1 and Y0 < Y1.
BoxPrompt boxFrom(std::string_view text);

/// How many pixels the model sees: "65536", "0.5M" or "native" (kNativePixels).
std::int64_t pixelCountFrom(std::string_view text);
inline constexpr std::int64_t kMostPixels = 8'388'608;

/// One way to run a request, as `base` is run but for what the text says: "mha",
/// "sdpa,kv-cache=off,dtype=bf16,pixels=0.5M". Keys: attention (or the path alone), kv-cache,
/// mask-pass, dtype, pixels, threads, memory-limit, preflight.
RunSettings configurationFrom(std::string_view text, const RunSettings& base);

/// For names and lists, which would otherwise be taken for not given.
CLI::Validator notEmpty();
/// For numbers that would otherwise be taken round or to the end of their type's range.
CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

AttentionPath attentionFrom(std::string_view text);
Precision precisionArgumentFrom(std::string_view text);

} // namespace maskscope
