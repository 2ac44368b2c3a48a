// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/event.h"
#include "core/engine/request.h"

#include <array>
#include <utility>

namespace maskscope {

namespace {

constexpr std::array<std::pair<AttentionPath, std::string_view>, 5> kPaths{{
    {AttentionPath::Auto, "auto"},
    {AttentionPath::Mha, "mha"},
    {AttentionPath::Sdpa, "sdpa"},
    {AttentionPath::Flash, "flash"},
    {AttentionPath::Ring, "ring"},
}};

constexpr std::array<std::pair<Precision, std::string_view>, 4> kPrecisions{{
    {Precision::Auto, "auto"},
    {Precision::Float32, "fp32"},
    {Precision::BFloat16, "bf16"},
    {Precision::Float16, "fp16"},
}};

constexpr std::array<std::pair<Stage, std::string_view>, 6> kStages{{
    {Stage::Load, "load"},
    {Stage::Image, "image"},
    {Stage::Vision, "vision"},
    {Stage::Prefill, "prefill"},
    {Stage::Decode, "decode"},
    {Stage::Mask, "mask"},
}};

template <class Table, class Value>
std::string_view nameIn(const Table& table, Value value) {
    for (const auto& [entry, name] : table)
        if (entry == value)
            return name;
    return "";
}

template <class Value, std::size_t N>
std::optional<Value> valueIn(
    const std::array<std::pair<Value, std::string_view>, N>& table, std::string_view name) {
    for (const auto& [entry, entryName] : table)
        if (entryName == name)
            return entry;
    return std::nullopt;
}

} // namespace

std::string_view nameOf(AttentionPath path) {
    return nameIn(kPaths, path);
}

std::optional<AttentionPath> attentionPathFrom(std::string_view name) {
    return valueIn(kPaths, name);
}

std::string_view nameOf(Precision precision) {
    return nameIn(kPrecisions, precision);
}

std::optional<Precision> precisionFrom(std::string_view name) {
    return valueIn(kPrecisions, name);
}

std::string_view nameOf(Stage stage) {
    return nameIn(kStages, stage);
}

} // namespace maskscope
