// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace maskscope {

/// The mask decoder's attention path where nobody has chosen one: MASKSCOPE_DECODER_ATTN, else
/// XIAOMI_LENS_DECODER_ATTN from the environment, else "auto". As written there, unchecked.
std::string defaultAttention();

} // namespace maskscope
