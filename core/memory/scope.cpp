// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/scope.h"

#include <utility>

namespace maskscope {

namespace {
thread_local constinit MemoryCategory t_category = MemoryCategory::Other;
thread_local constinit MemoryLedger* t_account = nullptr;
}

MemoryScope::MemoryScope(MemoryCategory category) noexcept
    : m_outer(std::exchange(t_category, category)) { }

MemoryScope::~MemoryScope() {
    t_category = m_outer;
}

MemoryCategory currentMemoryCategory() noexcept {
    return t_category;
}

AccountScope::AccountScope(MemoryLedger& account) noexcept
    : m_outer(std::exchange(t_account, &account)) { }

AccountScope::~AccountScope() {
    t_account = m_outer;
}

MemoryLedger* currentMemoryAccount() noexcept {
    return t_account;
}

} // namespace maskscope
