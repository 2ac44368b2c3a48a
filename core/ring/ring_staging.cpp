// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_staging.h"

#include "core/memory/scope.h"

#include <ATen/ops/empty.h>
#include <ATen/record_function.h>
#include <c10/core/InferenceMode.h>

namespace maskscope {

const at::Tensor& RingStaging::buffer(StagingPlace place, std::int64_t bytes) {
    const auto index = static_cast<std::size_t>(place);
    at::Tensor& buffer = m_buffers[index];
    if (buffer.defined() && bytes <= buffer.numel())
        return buffer;
    const MemoryScope scope(MemoryCategory::RingStaging);
    const c10::InferenceMode ordinary(false); // they outlive the mode they are first used in
    buffer.reset();
    RECORD_USER_SCOPE(kNames[index]);
    buffer = at::empty({bytes}, at::kByte);
    return buffer;
}

} // namespace maskscope
