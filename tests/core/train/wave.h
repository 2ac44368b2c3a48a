// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <vector>

namespace maskscope {

/// The inputs of tests/golden/train_values.py: sin(a · i + b).
inline at::Tensor wave(std::vector<std::int64_t> shape, double a, double b) {
    std::int64_t count = 1;
    for (const auto size : shape)
        count *= size;
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(std::sin(a * static_cast<double>(i) + b)));
    return at::tensor(values).reshape(shape);
}

inline nlohmann::json trainValues() {
    return nlohmann::json::parse(std::ifstream(MASKSCOPE_TEST_DATA "/golden/train_values.json"));
}

inline std::vector<float> floatsOf(const at::Tensor& tensor) {
    const auto flat = tensor.detach().contiguous().to(at::kFloat).flatten();
    return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

} // namespace maskscope
