// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/sample.h"

namespace maskscope {

std::string_view nameOf(MemoryCategory category) {
    switch (category) {
    case MemoryCategory::Weights:
        return "weights";
    case MemoryCategory::KvCache:
        return "kv_cache";
    case MemoryCategory::Vision:
        return "vision";
    case MemoryCategory::Language:
        return "language";
    case MemoryCategory::MaskDecoder:
        return "mask_decoder";
    case MemoryCategory::RingStaging:
        return "ring_staging";
    case MemoryCategory::Other:
        break;
    }
    return "other";
}

} // namespace maskscope
