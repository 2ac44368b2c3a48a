// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

namespace maskscope {

/// softmax(q k^T / sqrt(D) + mask) v, [B, H, T, D], from q [B, H, T, D] and k, v [B, Hk, S, D]. Hk
/// divides H: query heads 0 to H / Hk - 1 share key/value head 0, and so on. `mask` is additive (0
/// attends, -inf hides), [B or 1, H or 1, T or 1, S], or undefined. Differentiable.
/// A row that may see no key gives zeros, and what keys and values hold that nobody may see, NaN
/// included, reaches no result.
at::Tensor attend(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask);

/// The same without gradients, where nothing that the mask hides holds NaN and rows that may see no
/// key do not matter (they are finite or NaN): nothing is searched or copied.
at::Tensor attendCleaned(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask);

struct Attended {
    at::Tensor out; ///< [B, H, T, D]
    at::Tensor lse; ///< [B, H, T] natural logarithm of the sum of exp(scores); -inf without any key
};

/// The same by the flash kernel, without gradients, together with the log-sum-exp that lets results
/// over several blocks of keys be merged.
Attended attendWithLse(
    const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor& mask);

/// For T new tokens behind S - T others: each sees all but those behind itself. [1, 1, T, S]
/// additive.
at::Tensor causalMask(std::int64_t T, std::int64_t S, const at::TensorOptions& options);

} // namespace maskscope
