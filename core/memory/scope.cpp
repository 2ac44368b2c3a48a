// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/scope.h"

#include <utility>

namespace maskscope {

namespace {
thread_local constinit MemoryCategory t_category = MemoryCategory::Other;
}

MemoryScope::MemoryScope(MemoryCategory category) noexcept
    : m_outer(std::exchange(t_category, category)) { }

MemoryScope::~MemoryScope() {
    t_category = m_outer;
}

MemoryCategory currentMemoryCategory() noexcept {
    return t_category;
}

} // namespace maskscope
