// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"

#include <nlohmann/json_fwd.hpp>

namespace maskscope {

/// One event as a line of JSON has it (see EventReader for the way back). `imageIndex` is the place
/// of the image among the inputs. StageProgress has no JSON form and gives null.
nlohmann::ordered_json jsonOf(const Event& event, int imageIndex);

/// {"event": "error", "kind": …, "message": …}
nlohmann::ordered_json jsonOf(const Error& error);

/// "usage", "input", "model", "memory", "device", "internal"
std::string_view nameOf(ErrorKind kind);
std::optional<ErrorKind> errorKindFrom(std::string_view name);

/// One line of JSON; bytes that are not UTF-8 (a file's name may hold some) are replaced.
std::string lineOf(const nlohmann::ordered_json& value);

} // namespace maskscope
