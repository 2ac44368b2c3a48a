// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"

namespace maskscope {

class MemoryLedger;

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

/// Charges what this thread allocates during its life to `account` as well as to the ledger of all.
/// A block stays charged until it is released, on whichever thread: the account must live for ever.
class [[nodiscard]] AccountScope {
public:
    explicit AccountScope(MemoryLedger& account) noexcept;
    ~AccountScope();
    AccountScope(const AccountScope&) = delete;
    AccountScope& operator=(const AccountScope&) = delete;

private:
    MemoryLedger* m_outer;
};

/// The account of this thread's innermost scope, null outside of any.
MemoryLedger* currentMemoryAccount() noexcept;

} // namespace maskscope
