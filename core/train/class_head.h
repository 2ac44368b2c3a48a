// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lens.h"
#include "core/train/example.h"
#include "core/train/random_stream.h"

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

namespace maskscope {

/// Channels of single patches with their classes, kept in memory: the frozen encoder runs once per
/// picture, the head is fitted on what it saw.
class PatchSamples {
public:
    /// Takes up to `perPicture` patches of each picture, objects first: half of them at least are
    /// of objects where there are enough.
    void add(
        const Lens& lens, std::span<const Example> examples, int perPicture, RandomStream& random);

    /// Takes patches as they are.
    void add(const at::Tensor& channels /*[n, 2392]*/, const at::Tensor& classes /*[n]*/);

    std::int64_t count() const { return m_count; }
    at::Tensor channels() const; ///< [n, 2392] float16, not standardised
    at::Tensor classes() const; ///< [n] int64

private:
    std::vector<at::Tensor> m_channels;
    std::vector<at::Tensor> m_classes;
    std::int64_t m_count = 0;
};

/// Mean and deviation of every channel, each [2392] float32. Deviations have a floor of a quarter
/// of the mean deviation of their group (stride 16, head, probabilities), so that a channel that is
/// nearly always silent does not shout when it speaks.
struct ChannelStatistics {
    at::Tensor mean;
    at::Tensor deviation;
};
ChannelStatistics statisticsOf(const at::Tensor& channels /*[n, 2392]*/);

struct ClassHeadFit {
    at::Tensor weight; ///< [K + 2, 2392]
    at::Tensor bias; ///< [K + 2]
    double trainRight = 0; ///< share of samples whose class is right
    double heldOutRight = 0; ///< of the last tenth, which was not fitted
    double heldOutObjectsRight = 0; ///< of those among them that are of named objects
};

/// A linear classifier on standardised channels, by AdamW over shuffled rows; deterministic by
/// seed.
ClassHeadFit fitClassHead(const PatchSamples& samples, const ChannelStatistics& statistics,
    std::int64_t classes /*K + 2*/, int epochs, std::uint64_t seed);

} // namespace maskscope
