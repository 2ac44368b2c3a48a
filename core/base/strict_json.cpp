// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/strict_json.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

namespace maskscope {

nlohmann::json parseStrictJson(std::string_view text, std::string_view what, std::size_t maxDepth) {
    using Json = nlohmann::json;
    const auto refuse = [&](const std::string& reason) {
        throw Failure(ErrorKind::Model, std::string(what) + " " + reason + ".");
    };
    // The library takes NUL for the end of the text and would accept what stands before it.
    if (const std::size_t at = text.find('\0'); at != std::string_view::npos)
        refuse("is not JSON: it holds a NUL byte at offset " + std::to_string(at));

    std::vector<std::unordered_set<std::string>> keys; // of the objects that are open, by depth
    const auto inspect = [&](int depth, Json::parse_event_t event, Json& value) {
        const auto level = static_cast<std::size_t>(depth);
        if (event == Json::parse_event_t::object_start
            || event == Json::parse_event_t::array_start) {
            if (level >= maxDepth)
                refuse("nests more than " + std::to_string(maxDepth) + " levels deep");
            keys.resize(level + 2);
            keys[level + 1].clear();
        } else if (event == Json::parse_event_t::key) {
            const auto& key = value.get_ref<const std::string&>();
            if (!keys[level].insert(key).second)
                refuse("gives \"" + printable(key) + "\" twice");
        }
        return true;
    };
    try {
        return Json::parse(text.begin(), text.end(), inspect);
    } catch (const Json::parse_error& error) {
        refuse("is not JSON: it breaks off or is damaged at byte " + std::to_string(error.byte));
    } catch (const Json::out_of_range&) {
        refuse("holds a number that is too large");
    }
    return {};
}

} // namespace maskscope
