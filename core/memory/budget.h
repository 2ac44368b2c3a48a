// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/memory/ledger.h"

#include <cstdint>
#include <exception>
#include <optional>

namespace maskscope {

/// The limit on live tensor bytes during one job. An allocation beyond it fails as a real
/// out-of-memory does: the allocator throws, and the refusal stays noted until the next job.
/// One at a time per ledger; its end puts the limit back that was there before.
class MemoryBudget {
public:
    /// Forgets earlier refusals. No limit when absent.
    MemoryBudget(MemoryLedger& ledger, std::optional<std::int64_t> limit);
    ~MemoryBudget();
    MemoryBudget(const MemoryBudget&) = delete;
    MemoryBudget& operator=(const MemoryBudget&) = delete;

    /// Throws a memory Failure, with both figures, if an allocation was refused since the job
    /// began. To be asked after each layer and at the job's end, because a library may have caught
    /// the allocator's exception and gone on.
    void check() const;

    /// What ended the job: the refusal if there was one, whatever exception it turned into on its
    /// way, else what errorOf(exception) says.
    Error errorOf(const std::exception_ptr& exception) const;

private:
    MemoryLedger& m_ledger;
    std::optional<std::int64_t> m_outer;
};

} // namespace maskscope
