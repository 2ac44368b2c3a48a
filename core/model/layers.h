// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/weights.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

// Small functors over at::Tensor parameters. They serve training (autograd) and inference alike: no
// in-place operation on what may need a gradient. Names of parameters are those of torch.nn.
namespace maskscope {

enum class Bias { With, Without };

/// y = x W^T + b over the last dimension. `gain` scales the values it starts from.
struct Linear {
    Linear(Weights& weights, const std::string& name, std::int64_t inputs, std::int64_t outputs,
        Bias bias = Bias::With, double gain = 1);
    at::Tensor operator()(const at::Tensor& x /*[..., in]*/) const;

    at::Tensor weight; ///< [out, in]
    at::Tensor bias; ///< [out] or undefined
};

/// Over the last dimension, epsilon 1e-5.
struct LayerNorm {
    LayerNorm(Weights& weights, const std::string& name, std::int64_t width);
    at::Tensor operator()(const at::Tensor& x) const;

    at::Tensor weight;
    at::Tensor bias;
};

/// x / rms(x) * weight over the last dimension (Zhang and Sennrich 2019).
struct RmsNorm {
    RmsNorm(Weights& weights, const std::string& name, std::int64_t width, double epsilon);
    at::Tensor operator()(const at::Tensor& x) const;

    at::Tensor weight;
    double epsilon;
};

/// Same-size convolution, stride 1, odd kernel, zero padding.
struct Convolution {
    Convolution(Weights& weights, const std::string& name, std::int64_t inputs,
        std::int64_t outputs, std::int64_t kernel, std::int64_t groups = 1);
    at::Tensor operator()(const at::Tensor& x /*[N, in, H, W]*/) const;

    at::Tensor weight; ///< [out, in / groups, k, k]
    at::Tensor bias; ///< [out]
    std::int64_t groups;
};

/// Linear, GELU, Linear.
struct Mlp {
    Mlp(Weights& weights, const std::string& name, std::int64_t inputs, std::int64_t hidden,
        std::int64_t outputs);
    at::Tensor operator()(const at::Tensor& x /*[..., in]*/) const;

    Linear up;
    Linear down;
};

/// Sine and cosine of `positions` [...] at width / 2 frequencies from 1 to 1 / base, sines first:
/// [..., width].
at::Tensor sinusoids(const at::Tensor& positions, std::int64_t width, double base);

} // namespace maskscope
