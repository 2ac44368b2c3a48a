// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace maskscope {

/// The values of an enumeration and their names, one to one.
template <class Value, std::size_t N>
using NameTable = std::array<std::pair<Value, std::string_view>, N>;

template <class Value, std::size_t N>
std::string_view nameIn(const NameTable<Value, N>& table, Value value) {
    for (const auto& [entry, name] : table)
        if (entry == value)
            return name;
    return {};
}

template <class Value, std::size_t N>
std::optional<Value> valueIn(const NameTable<Value, N>& table, std::string_view name) {
    for (const auto& [entry, entryName] : table)
        if (entryName == name)
            return entry;
    return std::nullopt;
}

} // namespace maskscope
