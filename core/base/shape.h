// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <initializer_list>
#include <string_view>

// One letter per dimension, everywhere in core:
//   B batch   T tokens fed now   S tokens attended to   H query heads   Hk key/value heads
//   D head dimension   C channels or model width   P patches   V vocabulary
namespace maskscope {

/// Any size is right in this place of expectShape().
inline constexpr std::int64_t kAny = -1;

/// Throws an internal Failure that names the tensor and gives both shapes.
void expectShape(
    const at::Tensor& tensor, std::initializer_list<std::int64_t> shape, std::string_view name);

} // namespace maskscope
