// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace maskscope {

/// How a parameter starts when training finds it in no file.
struct Init {
    enum class Kind { Constant, Normal, Uniform };
    Kind kind = Kind::Constant;
    double value = 0; ///< the constant, the standard deviation, or the bound

    static Init zeros() { return {Kind::Constant, 0}; }
    static Init ones() { return {Kind::Constant, 1}; }
    static Init constant(double value) { return {Kind::Constant, value}; }
    static Init normal(double deviation) { return {Kind::Normal, deviation}; }
    static Init uniform(double bound) { return {Kind::Uniform, bound}; }
    /// For a layer that sums `inputs` products: uniform with deviation 1 / sqrt(inputs).
    static Init fanIn(double inputs);
};

/// The named tensors of one model. Modules take theirs once, by name and shape, when they are made;
/// the tensors stay shared with this object, so that a trainer that steps on all() trains the
/// modules.
class Weights {
public:
    /// Files of a start that lack a tensor or hold it in another shape.
    enum class Mismatch { Refuse, Draw };

    /// A model folder's model.safetensors, or the shards of its model.safetensors.index.json,
    /// copied to tensors of `dtype` (charged to MemoryCategory::Weights). Strict: a missing or
    /// mis-shaped tensor is a Failure(Model) that names it with both shapes, as is what finish()
    /// finds left.
    static Weights fromFolder(const std::filesystem::path& folder, at::ScalarType dtype);

    /// Float32. Tensors come from `start` where they are there in the right shape; others are drawn
    /// by their Init, from `seed` and the tensor's name alone. With Mismatch::Refuse a tensor of
    /// another shape is a Failure(Model). Nothing requires a gradient until the trainer says so.
    static Weights forTraining(
        const std::vector<std::filesystem::path>& start, Mismatch mismatch, std::uint64_t seed);

    Weights(Weights&&) noexcept;
    Weights& operator=(Weights&&) noexcept;
    ~Weights();

    /// The tensor of this name. Throws Failure(Model) as above; asking twice is an internal
    /// Failure.
    at::Tensor take(std::string_view name, at::IntArrayRef shape, Init init);

    /// After the last module: throws Failure(Model) naming tensors that nobody asked for
    /// (fromFolder), and closes the files.
    void finish();

    /// Every tensor taken, in order: for the optimiser, for export.
    const std::vector<std::pair<std::string, at::Tensor>>& all() const;

    /// Names of those that no start file gave (training only).
    const std::vector<std::string>& drawn() const;

private:
    class Impl;
    explicit Weights(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace maskscope
