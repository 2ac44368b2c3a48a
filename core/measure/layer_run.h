// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/layer.h"

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace maskscope {

class ThreadRanks;

/// Runs one layer: x [1, P, C] and padding [1, P] (additive, 0 keeps) give [1, P, C].
struct LayerRun {
    std::function<at::Tensor(const at::Tensor& x, const at::Tensor& padding)> forward;
    std::shared_ptr<ThreadRanks> ranks; ///< null for paths without

    at::Tensor operator()(const at::Tensor& x, const at::Tensor& padding) const {
        return forward(x, padding);
    }
};

/// The layer with drawn weights, which it owns; the same weights for every path. Without gradients.
LayerRun makeLayer(const LayerShape& shape);

/// What it is run on: the same numbers on every call.
at::Tensor layerInput(const LayerShape& shape); ///< [1, P, C]
at::Tensor layerPadding(const LayerShape& shape); ///< [1, P]

at::ScalarType scalarTypeOf(const LayerShape& shape);

} // namespace maskscope
