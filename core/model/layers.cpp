// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/rsqrt.h>

#include <cmath>

namespace maskscope {

Linear::Linear(Weights& weights, const std::string& name, std::int64_t inputs, std::int64_t outputs,
    Bias withBias, double gain)
    : weight(weights.take(
        name + ".weight", {outputs, inputs}, Init::fanIn(double(inputs) / (gain * gain)))) {
    if (withBias == Bias::With)
        bias = weights.take(name + ".bias", {outputs}, Init::zeros());
}

at::Tensor Linear::operator()(const at::Tensor& x) const {
    return at::linear(x, weight, bias);
}

LayerNorm::LayerNorm(Weights& weights, const std::string& name, std::int64_t width)
    : weight(weights.take(name + ".weight", {width}, Init::ones()))
    , bias(weights.take(name + ".bias", {width}, Init::zeros())) { }

at::Tensor LayerNorm::operator()(const at::Tensor& x) const {
    return at::layer_norm(x, weight.sizes(), weight, bias, 1e-5);
}

RmsNorm::RmsNorm(Weights& weights, const std::string& name, std::int64_t width, double normEpsilon)
    : weight(weights.take(name + ".weight", {width}, Init::ones()))
    , epsilon(normEpsilon) { }

at::Tensor RmsNorm::operator()(const at::Tensor& x) const {
    const auto exact = x.to(at::kFloat);
    const auto scale = at::rsqrt(at::mean(exact * exact, {-1}, true) + epsilon);
    return weight * (exact * scale).to(x.scalar_type());
}

Convolution::Convolution(Weights& weights, const std::string& name, std::int64_t inputs,
    std::int64_t outputs, std::int64_t kernel, std::int64_t groupCount)
    : weight(weights.take(name + ".weight", {outputs, inputs / groupCount, kernel, kernel},
        Init::fanIn(double(inputs * kernel * kernel) / double(groupCount))))
    , bias(weights.take(name + ".bias", {outputs}, Init::zeros()))
    , groups(groupCount) { }

at::Tensor Convolution::operator()(const at::Tensor& x) const {
    const auto padding = weight.size(2) / 2;
    return at::conv2d(x, weight, bias, 1, padding, 1, groups);
}

Mlp::Mlp(Weights& weights, const std::string& name, std::int64_t inputs, std::int64_t hidden,
    std::int64_t outputs)
    : up(weights, name + ".up", inputs, hidden)
    , down(weights, name + ".down", hidden, outputs) { }

at::Tensor Mlp::operator()(const at::Tensor& x) const {
    return down(at::gelu(up(x)));
}

at::Tensor sinusoids(const at::Tensor& positions, std::int64_t width, double base) {
    const std::int64_t count = width / 2;
    const auto steps = at::arange(count, positions.options());
    const auto frequencies = at::exp(steps * (-std::log(base) / double(count)));
    const auto angles = positions.unsqueeze(-1) * frequencies;
    return at::cat({angles.sin(), angles.cos()}, -1);
}

} // namespace maskscope
