// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace maskscope {

/// A token that may be drawn, with its probability among those that may.
struct Candidate {
    int id = 0;
    double probability = 0;
};

/// Throws Failure(Usage) that names the value and its range.
void checkSampling(const Sampling& sampling);

/// What top-k and then top-p leave of one token's logits [V] at the temperature; never empty, the
/// best token always among them. At temperature 0 it is the only one (the first of equals).
/// `position` counts the answer's tokens from 1, for the message. Throws Failure(Model) when the
/// logits are not numbers or +infinity; -infinity means "never".
std::vector<Candidate> candidates(
    std::span<const float> logits, const Sampling& sampling, int position);

/// Chooses the tokens of one run. The same seed and logits give the same tokens on every platform,
/// in a run repeated as in the first.
class Sampler {
public:
    /// Throws as checkSampling() does.
    explicit Sampler(const Sampling& sampling);

    int next(std::span<const float> logits /*[V]*/);

    std::uint64_t seed() const { return m_seed; } ///< given or drawn

private:
    Sampling m_sampling;
    std::uint64_t m_seed;
    std::mt19937_64 m_random;
    int m_position = 0;
};

} // namespace maskscope
