// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/safetensors.h"

#include <ATen/ATen.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::test {

/// Tensors of a .safetensors file by name.
class StoredTensors {
public:
    explicit StoredTensors(const std::filesystem::path& path)
        : m_file(path) { }

    bool has(const std::string& name) const { return m_file.find(name) != nullptr; }

    at::Tensor operator[](const std::string& name) const {
        const auto* stored = m_file.find(name);
        if (!stored)
            throw std::runtime_error("no tensor " + name);
        auto tensor = at::empty(stored->shape, typeOf(stored->dtype));
        std::memcpy(tensor.data_ptr(), stored->bytes.data(), stored->bytes.size());
        return tensor;
    }

private:
    static at::ScalarType typeOf(Dtype dtype) {
        switch (dtype) {
        case Dtype::F32:
            return at::kFloat;
        case Dtype::F64:
            return at::kDouble;
        case Dtype::I64:
            return at::kLong;
        case Dtype::U8:
            return at::kByte;
        case Dtype::Bool:
            return at::kBool;
        default:
            throw std::runtime_error("a type no test stores");
        }
    }

    SafetensorsFile m_file;
};

/// Writes contiguous float32 tensors.
inline void storeTensors(const std::filesystem::path& path,
    const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
    std::vector<StoredTensor> stored;
    for (const auto& [name, tensor] : tensors)
        stored.push_back({name, Dtype::F32, tensor.sizes().vec(),
            std::as_bytes(std::span(tensor.const_data_ptr<float>(), std::size_t(tensor.numel())))});
    writeSafetensors(path, stored);
}

/// Largest absolute difference, as a number for EXPECT_LE.
inline double difference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

} // namespace maskscope::test
