// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/attention_default.h"

#include <cstdlib>

namespace maskscope {

std::string defaultAttention() {
    for (const char* name : {"MASKSCOPE_DECODER_ATTN", "XIAOMI_LENS_DECODER_ATTN"})
        if (const char* value = std::getenv(name); value && *value)
            return value;
    return "auto";
}

} // namespace maskscope
