// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QString>
#include <vector>

namespace maskscope {

/// A shipped image and what to ask of it.
struct Example {
    QString image; ///< absolute path
    QString request;
};

/// Reads resources/examples/index.json. A folder without one has no examples; a damaged one is an
/// error. Entries whose image is missing are left out.
Result<std::vector<Example>> readExamples(const QString& folder);

} // namespace maskscope
