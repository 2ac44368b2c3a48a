// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_staging.h"

#include "core/memory/scope.h"

#include <ATen/ops/empty.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

namespace maskscope {

const std::array<at::Tensor, 2>& RingStaging::buffers(std::int64_t bytes) {
    if (bytes <= m_bytes)
        return m_buffers;
    const MemoryScope scope(MemoryCategory::RingStaging);
    const c10::InferenceMode ordinary(false); // they outlive the mode they are first used in
    m_buffers = {};
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        RECORD_USER_SCOPE(kNames[i]);
        m_buffers[i] = at::empty({bytes}, at::kByte);
    }
    m_bytes = bytes;
    return m_buffers;
}

} // namespace maskscope
