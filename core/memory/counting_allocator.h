// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"

#include <cstdint>

namespace maskscope {

/// Puts an allocator that feeds cpuLedger() around LibTorch's own for the host, for the life of the
/// process. To be called before the first tensor that shall be counted; again does nothing.
///
/// Each allocation is charged to its thread's MemoryScope. One that is refused, by the limit or by
/// the system, throws as LibTorch's own allocator does and is noted in the ledger.
void installCountingAllocator();

/// Told of every block that the counting allocator gives and takes back, one at a time, in the
/// order in which the ledger counts them, on whichever thread. It must neither allocate tensors nor
/// throw.
class AllocationObserver {
public:
    virtual ~AllocationObserver() = default;
    virtual void allocated(
        const void* data, std::int64_t bytes, MemoryCategory category) noexcept = 0;
    virtual void released(
        const void* data, std::int64_t bytes, MemoryCategory category) noexcept = 0;
};

/// `observer` is told from now on, and whoever was before is not any more; null for nobody, which
/// costs the allocator nothing. To be called while no other thread allocates.
void observeAllocations(AllocationObserver* observer);

} // namespace maskscope
