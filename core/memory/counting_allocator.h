// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace maskscope {

/// Puts an allocator that feeds cpuLedger() around LibTorch's own for the host, for the life of the
/// process. To be called before the first tensor that shall be counted; again does nothing.
///
/// Each allocation is charged to its thread's MemoryScope. One that is refused, by the limit or by
/// the system, throws as LibTorch's own allocator does and is noted in the ledger.
void installCountingAllocator();

} // namespace maskscope
