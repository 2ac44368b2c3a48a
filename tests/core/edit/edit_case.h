// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/mask/drawn_mask.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace maskscope {

/// What make_edit_cases.py wrote.
inline nlohmann::json editCases() {
    return nlohmann::json::parse(std::ifstream(MASKSCOPE_TEST_DATA "/cases/edit.json"));
}

inline Mask drawnMask(const nlohmann::json& rows) {
    const auto strings = rows.get<std::vector<std::string>>();
    return drawnMask(std::vector<std::string_view>(strings.begin(), strings.end()));
}

} // namespace maskscope
