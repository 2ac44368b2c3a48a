// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/checkpoint.h"

#include "core/base/error.h"
#include "core/model/safetensors.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/isfinite.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <span>

namespace maskscope {
namespace {

constexpr const char* kProgressKey = "progress";

Dtype dtypeOf(const at::Tensor& tensor, const std::string& name) {
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return Dtype::F32;
    case at::kHalf:
        return Dtype::F16;
    case at::kBFloat16:
        return Dtype::BF16;
    default:
        throw Failure(
            ErrorKind::Internal, "The tensor " + name + " is of a type that is not stored.");
    }
}

void write(const std::filesystem::path& file, const NamedTensors& tensors,
    const std::map<std::string, std::string>& metadata) {
    std::vector<at::Tensor> kept; // contiguous copies that the views below point into
    std::vector<StoredTensor> stored;
    for (const auto& [name, tensor] : tensors) {
        kept.push_back(tensor.detach().cpu().contiguous());
        const auto& values = kept.back();
        stored.push_back({name, dtypeOf(values, name), values.sizes().vec(),
            std::span(static_cast<const std::byte*>(values.const_data_ptr()), values.nbytes())});
    }
    writeSafetensors(file, stored, metadata);
}

TrainingProgress progressOf(const SafetensorsFile& file, const std::filesystem::path& path) {
    const auto entry = file.metadata().find(kProgressKey);
    const auto json = entry == file.metadata().end()
        ? nlohmann::json()
        : nlohmann::json::parse(entry->second, nullptr, /*allow_exceptions=*/false);
    try {
        return {json.at("stage"), json.at("done"), json.at("seed"), json.at("steps"),
            json.at("images"), json.at("seconds")};
    } catch (const nlohmann::json::exception&) {
        throw Failure(ErrorKind::Model,
            path.string()
                + " is not a checkpoint of a training: it does not say how far it had come.");
    }
}

} // namespace

void writeCheckpoint(const std::filesystem::path& file, const NamedTensors& tensors,
    const TrainingProgress& progress) {
    const nlohmann::json json{{"stage", progress.stage}, {"done", progress.stageDone},
        {"seed", progress.seed}, {"steps", progress.steps}, {"images", progress.images},
        {"seconds", progress.seconds}};
    write(file, tensors, {{kProgressKey, json.dump()}});
}

TrainingProgress readCheckpoint(const std::filesystem::path& path, const NamedTensors& tensors) {
    const SafetensorsFile file(path);
    const auto progress = progressOf(file, path);
    for (const auto& [name, tensor] : tensors) {
        const auto* stored = file.find(name);
        if (!stored)
            throw Failure(ErrorKind::Model, path.string() + " has no tensor " + name + ".");
        if (tensor.sizes() != at::IntArrayRef(stored->shape) || stored->dtype != Dtype::F32)
            throw Failure(ErrorKind::Model,
                path.string() + " holds " + name + " as " + std::string(nameOf(stored->dtype)) + " "
                    + shapeText(stored->shape) + "; this training has F32 "
                    + shapeText(tensor.sizes()) + ".");
    }
    if (file.tensors().size() != tensors.size())
        throw Failure(ErrorKind::Model,
            path.string() + " holds " + std::to_string(file.tensors().size())
                + " tensors; this training has " + std::to_string(tensors.size()) + ".");

    const at::NoGradGuard guard;
    for (const auto& [name, tensor] : tensors) {
        const auto* stored = file.find(name);
        at::Tensor values = at::empty_like(tensor, at::MemoryFormat::Contiguous);
        std::memcpy(values.mutable_data_ptr(), stored->bytes.data(), stored->bytes.size());
        tensor.copy_(values);
    }
    return progress;
}

TrainingProgress readProgress(const std::filesystem::path& file) {
    return progressOf(SafetensorsFile(file), file);
}

void writeWeights(const std::filesystem::path& file, const NamedTensors& tensors,
    at::ScalarType type, const std::map<std::string, std::string>& metadata) {
    NamedTensors converted;
    for (const auto& [name, tensor] : tensors) {
        converted.emplace_back(name, tensor.detach().to(type));
        if (!at::isfinite(converted.back().second).all().item<bool>())
            throw Failure(ErrorKind::Internal,
                "The tensor " + name
                    + " has values that are not finite; the model is not written.");
    }
    write(file, converted, metadata);
}

} // namespace maskscope
