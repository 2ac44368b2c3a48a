// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace maskscope {

/// Parses JSON from a file that nobody vouches for. Refused: a key given twice in one object, more
/// than `maxDepth` nested levels, NUL bytes, invalid UTF-8, anything after the value.
/// Throws Failure(Model): "<what> <reason>.", where `what` names file and part, ready to be shown.
nlohmann::json parseStrictJson(
    std::string_view text, std::string_view what, std::size_t maxDepth = 64);

} // namespace maskscope
