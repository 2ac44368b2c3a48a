// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"

#include <nlohmann/json_fwd.hpp>

namespace maskscope {

/// One event as the command line's `--json` writes it. `imageIndex` is the place of the image among
/// the inputs. StageProgress has no JSON form and gives null.
nlohmann::ordered_json jsonOf(const Event& event, int imageIndex);

/// {"event": "error", "kind": …, "message": …}
nlohmann::ordered_json jsonOf(const Error& error);

/// "usage", "input", "model", "memory", "device", "internal"
std::string_view nameOf(ErrorKind kind);

/// Tells an error, of one of the inputs or of the whole call: its sentence on stderr and, with
/// --json, its line on stdout.
void tell(const Error& error, bool json, std::optional<int> image = {});

/// One line of JSON; bytes that are not UTF-8 (a file's name may hold some) are replaced.
std::string lineOf(const nlohmann::ordered_json& value);

} // namespace maskscope
