// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Fields of JSON that the language has other types for. For sources only: it takes long to compile.
namespace maskscope {

/// null stands for an absent value.
template <class Json = nlohmann::ordered_json, class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// A value in JSON that nobody vouches for, and where it stands in it: "image.size.0". Whatever is
/// missing or of another kind throws Failure(Input) with the end of a sentence that names it. The
/// JSON outlives it.
class JsonField {
public:
    explicit JsonField(const nlohmann::json& json, std::string name = {})
        : m_json(json)
        , m_name(std::move(name)) { }

    JsonField at(std::string_view key) const {
        if (!m_json.is_object())
            refuse("is no object");
        const auto found = m_json.find(std::string(key));
        if (found == m_json.end())
            throw Failure(ErrorKind::Input, "it has no \"" + inner(key) + '"');
        return JsonField(*found, inner(key));
    }
    bool has(std::string_view key) const {
        if (!m_json.is_object())
            refuse("is no object");
        return m_json.contains(std::string(key));
    }

    /// Of a list.
    std::vector<JsonField> elements() const {
        if (!m_json.is_array())
            refuse("is no list");
        std::vector<JsonField> fields;
        for (std::size_t i = 0; i < m_json.size(); ++i)
            fields.emplace_back(m_json[i], inner(std::to_string(i)));
        return fields;
    }
    /// Of a list of `count`.
    std::vector<JsonField> elements(std::size_t count) const {
        std::vector<JsonField> fields = elements();
        if (fields.size() != count)
            refuse("is no list of " + std::to_string(count));
        return fields;
    }

    const std::string& text() const {
        if (!m_json.is_string())
            refuse("is no text");
        return m_json.get_ref<const std::string&>();
    }
    bool flag() const {
        if (!m_json.is_boolean())
            refuse("is neither true nor false");
        return m_json.get<bool>();
    }
    double number() const {
        if (!m_json.is_number())
            refuse("is no number");
        return m_json.get<double>();
    }
    template <std::integral T>
    T whole() const {
        if (m_json.is_number_unsigned() && std::in_range<T>(m_json.get<std::uint64_t>()))
            return static_cast<T>(m_json.get<std::uint64_t>());
        if (m_json.is_number_integer() && !m_json.is_number_unsigned()
            && std::in_range<T>(m_json.get<std::int64_t>()))
            return static_cast<T>(m_json.get<std::int64_t>());
        refuse("is no whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to "
            + std::to_string(std::numeric_limits<T>::max()));
    }
    /// null stands for an absent value; a key that is not there does not.
    template <std::integral T>
    std::optional<T> wholeOrNull() const {
        return m_json.is_null() ? std::nullopt : std::optional(whole<T>());
    }
    /// A value of an enumeration by its name.
    template <class Value>
    Value named(std::optional<Value> (*valueFrom)(std::string_view)) const {
        if (const auto value = valueFrom(text()))
            return *value;
        refuse("is \"" + printable(text()) + "\", which is not known");
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw Failure(
            ErrorKind::Input, (m_name.empty() ? "it" : "its \"" + m_name + '"') + ' ' + reason);
    }

    const nlohmann::json& json() const { return m_json; }

private:
    std::string inner(std::string_view key) const {
        return m_name.empty() ? std::string(key) : m_name + '.' + std::string(key);
    }

    const nlohmann::json& m_json;
    std::string m_name;
};

} // namespace maskscope
