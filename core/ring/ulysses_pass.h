// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/rank_grid.h"
#include "core/ring/transport.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace maskscope {

/// What one rank of a group does in each step of a pass, and where its bytes lie. `place` is
/// another rank's in the group. Bytes of neighbouring steps are apart, except those of ownFor().
class UlyssesWork {
public:
    virtual ~UlyssesWork() = default;

    /// Its own tokens, for the heads of every place (its own ones where attend() finds them).
    virtual void writeOwn(std::int64_t step) = 0;
    virtual std::span<const std::byte> ownFor(std::int64_t step, int place) = 0;
    /// The tokens of a place, for its own heads.
    virtual std::span<std::byte> inFrom(std::int64_t step, int place) = 0;

    /// All of the group's tokens, for its own heads.
    virtual void attend(std::int64_t step) = 0;

    /// What became of the tokens of a place in its own heads.
    virtual std::span<const std::byte> mixedFor(std::int64_t step, int place) = 0;
    /// What became of its own tokens in the heads of a place; the same for all steps.
    virtual std::span<std::byte> backFrom(std::int64_t step, int place) = 0;
    virtual void keep(std::int64_t step) = 0;
};

/// One rank's part in a pass of at least one step, with the others of its group. While one step is
/// attended to, the next one's tokens come in and the results of the one before go back: only the
/// first way in and the last way back have nothing to hide behind. All ranks of a group call it
/// with the same number of steps. Throws what the work and the transport throw; the bytes are at
/// rest then, too. After DeepSpeed-Ulysses (Jacobs and others 2023), pipelined by heads.
void ulyssesPass(
    int rank, const RankGrid& grid, std::int64_t steps, Transport& transport, UlyssesWork& work);

} // namespace maskscope
