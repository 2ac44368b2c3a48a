// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"

namespace maskscope {

/// Charges what this thread allocates during its life to one category; the innermost scope wins.
/// Other threads (ranks, thread pools) do not inherit it: hand them `currentMemoryCategory()` and
/// open a scope with it there.
class [[nodiscard]] MemoryScope {
public:
    explicit MemoryScope(MemoryCategory category) noexcept;
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

private:
    MemoryCategory m_outer;
};

/// The category of this thread's innermost scope, `Other` outside of any.
MemoryCategory currentMemoryCategory() noexcept;

} // namespace maskscope
