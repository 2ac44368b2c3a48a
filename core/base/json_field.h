// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

// Fields of JSON that the language has other types for. For sources only: it takes long to compile.
namespace maskscope {

/// null stands for an absent value.
template <class Json = nlohmann::ordered_json, class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// The other way round. A key that is not there is no absent value: throws what json.at() throws.
template <class T>
std::optional<T> optionalIn(const nlohmann::json& json, const char* key) {
    const nlohmann::json& value = json.at(key);
    return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

/// The value of an enumeration by its name. Throws what json.at() throws, and Failure(Input) with
/// the end of a sentence when nobody knows the name.
template <class Value>
Value namedIn(const nlohmann::json& json, const char* key,
    std::optional<Value> (*valueFrom)(std::string_view)) {
    const auto& name = json.at(key).get_ref<const std::string&>();
    if (const auto value = valueFrom(name))
        return *value;
    throw Failure(ErrorKind::Input,
        "its \"" + std::string(key) + "\" is \"" + name + "\", which is not known");
}

} // namespace maskscope
