// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace maskscope {

/// Element types of stored tensors, as the safetensors format has them.
enum class Dtype {
    F64,
    F32,
    F16,
    BF16,
    I64,
    I32,
    I16,
    I8,
    U64,
    U32,
    U16,
    U8,
    Bool,
    F8E4M3,
    F8E5M2
};

std::string_view nameOf(Dtype dtype); ///< "F32", "BF16", "BOOL", "F8_E4M3", …
std::optional<Dtype> dtypeFrom(std::string_view name);
std::size_t bytesOf(Dtype dtype); ///< of one element

/// Bytes of a dense tensor; nothing when a size is negative or the number does not fit 63 bits.
std::optional<std::uint64_t> bytesOf(Dtype dtype, std::span<const std::int64_t> shape);

/// "[2, 3]", as shapes are written in messages.
std::string shapeText(std::span<const std::int64_t> shape);

} // namespace maskscope
