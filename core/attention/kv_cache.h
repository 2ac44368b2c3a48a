// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope {

/// What a layer remembers of the tokens before. Kinds differ in how they go back: keys and values
/// drop their tail, a recurrent state has to be restored.
enum class StateKind { KeyValue };

/// One layer's memory of a sequence.
class LayerState {
public:
    virtual ~LayerState() = default;
    virtual StateKind kind() const = 0;
    virtual std::int64_t length() const = 0; ///< tokens remembered
    virtual void truncate(std::int64_t length) = 0; ///< forgets all tokens from `length` on
    virtual std::unique_ptr<LayerState> snapshot() const = 0; ///< an independent copy
    virtual std::int64_t bytes() const = 0; ///< allocated
};

/// Keys and values of one attention layer in two buffers [B, Hk, capacity, D], taken once.
class KvCache final : public LayerState {
public:
    KvCache(std::int64_t batch, std::int64_t kvHeads, std::int64_t capacity, std::int64_t headDim,
        const at::TensorOptions& options);

    StateKind kind() const override { return StateKind::KeyValue; }
    std::int64_t length() const override { return m_length; }
    void truncate(std::int64_t length) override;
    std::unique_ptr<LayerState> snapshot() const override;
    std::int64_t bytes() const override;
    std::int64_t capacity() const;

    /// Writes k and v [B, Hk, T, D] behind the last token. Throws an internal Failure beyond the
    /// capacity; never reallocates.
    void append(const at::Tensor& k, const at::Tensor& v);

    at::Tensor keys() const; ///< view [B, Hk, length, D]
    at::Tensor values() const; ///< view [B, Hk, length, D]

private:
    at::Tensor m_keys;
    at::Tensor m_values;
    std::int64_t m_length = 0;
};

/// The memory of all layers of one sequence (or batch of equally long ones). Movable, one owner.
class SequenceState {
public:
    explicit SequenceState(std::vector<std::unique_ptr<LayerState>> layers);

    std::int64_t length() const; ///< tokens fed: the start_pos of the next
    std::int64_t bytes() const;
    void truncate(std::int64_t length);
    SequenceState snapshot() const;
    LayerState& layer(std::size_t index) { return *m_layers[index]; }

private:
    std::vector<std::unique_ptr<LayerState>> m_layers;
};

} // namespace maskscope
