// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"
#include "ui/session.h"

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope {

/// A way to run a request for which memory did not do.
struct Remedy {
    QString title; ///< "Run with sdpa at 2.1 MP"
    RunSettings settings;
};

/// What `settings` can become so that the run fits: a path that holds no matrices, a smaller size,
/// or both. `imagePixels` are the picture's own, `limit` the live bytes that are allowed; absent
/// where nobody knows, when half of the size is offered.
std::vector<Remedy> remediesFor(const RunSettings& settings, const ModelDescription& model,
    std::int64_t imagePixels, const std::optional<std::int64_t>& limit);

/// The largest categories of what was live, "mask decoder 1.20 GiB, weights 52 MiB"; empty where
/// nothing was.
QString largestCategories(const MemorySample& sample);

} // namespace maskscope
