// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace maskscope {

/// How often something is done to be measured.
struct Repeats {
    int warmUps = 1; ///< before, not counted
    int count = 5;
};

} // namespace maskscope
