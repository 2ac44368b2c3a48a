// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/dtype.h"

#include <algorithm>
#include <array>
#include <limits>

namespace maskscope {
namespace {

struct Row {
    Dtype dtype;
    std::string_view name;
    std::size_t bytes;
};

constexpr std::array<Row, 15> kRows{{
    {Dtype::F64, "F64", 8},
    {Dtype::F32, "F32", 4},
    {Dtype::F16, "F16", 2},
    {Dtype::BF16, "BF16", 2},
    {Dtype::I64, "I64", 8},
    {Dtype::I32, "I32", 4},
    {Dtype::I16, "I16", 2},
    {Dtype::I8, "I8", 1},
    {Dtype::U64, "U64", 8},
    {Dtype::U32, "U32", 4},
    {Dtype::U16, "U16", 2},
    {Dtype::U8, "U8", 1},
    {Dtype::Bool, "BOOL", 1},
    {Dtype::F8E4M3, "F8_E4M3", 1},
    {Dtype::F8E5M2, "F8_E5M2", 1},
}};

const Row& rowOf(Dtype dtype) {
    return *std::ranges::find(kRows, dtype, &Row::dtype);
}

} // namespace

std::string_view nameOf(Dtype dtype) {
    return rowOf(dtype).name;
}

std::optional<Dtype> dtypeFrom(std::string_view name) {
    const auto* row = std::ranges::find(kRows, name, &Row::name);
    if (row == kRows.end())
        return std::nullopt;
    return row->dtype;
}

std::size_t bytesOf(Dtype dtype) {
    return rowOf(dtype).bytes;
}

std::optional<std::uint64_t> bytesOf(Dtype dtype, std::span<const std::int64_t> shape) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t bytes = bytesOf(dtype);
    for (const std::int64_t size : shape) {
        if (size < 0)
            return std::nullopt;
        const auto factor = static_cast<std::uint64_t>(size);
        if (factor != 0 && bytes > kMost / factor)
            return std::nullopt;
        bytes *= factor;
    }
    return bytes;
}

std::string shapeText(std::span<const std::int64_t> shape) {
    std::string text = "[";
    for (const std::int64_t size : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + "]";
}

} // namespace maskscope
