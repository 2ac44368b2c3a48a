// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ulysses_attention.h"

#include "core/attention/attention_peak.h"
#include "core/ring/chunk_sum.h"
#include "core/ring/ring_attention.h"
#include "core/ring/ulysses_pass.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace maskscope {

namespace {

/// One rank's work on tensors.
class TensorWork final : public UlyssesWork {
public:
    TensorWork(RingRank& rank, const RingPlan& plan, const HeadsWriter& write, at::Tensor out)
        : m_rank(rank)
        , m_plan(plan)
        , m_grid(plan.grid())
        , m_group(m_grid.groupOf(rank.index()))
        , m_me(m_grid.placeOf(rank.index()))
        , m_write(write)
        , m_out(std::move(out))
        , m_choice(chunkChoice(chunkKernels(), m_out.scalar_type()))
        , m_part(m_out.size(1) / m_grid.ulysses)
        , m_atOnce(
              rank.heads() > 0 ? std::min(rank.heads(), m_part) : headsAtOnce(plan, m_out.size(1)))
        , m_steps((m_part + m_atOnce - 1) / m_atOnce) {
        takeBuffers();
    }

    std::int64_t steps() const { return m_steps; }

    void writeOwn(std::int64_t step) override {
        if (tokensOf(m_me).count == 0)
            return;
        const ComputePiece piece = m_rank.piece("queries, keys, values");
        for (int place = 0; place < m_grid.ulysses; ++place) {
            const at::Tensor into = place == m_me ? in(step, place) : own(step, place);
            m_write(headOf(step, place), headsOf(step), into.select(1, 0), into.select(1, 1),
                into.select(1, 2));
        }
    }

    std::span<const std::byte> ownFor(std::int64_t step, int place) override {
        return bytesOf(own(step, place));
    }
    std::span<std::byte> inFrom(std::int64_t step, int place) override {
        return bytesOf(in(step, place));
    }
    std::span<const std::byte> mixedFor(std::int64_t step, int place) override {
        return bytesOf(mixed(step, place));
    }
    std::span<std::byte> backFrom(std::int64_t step, int place) override {
        return bytesOf(back(step, place));
    }

    void attend(std::int64_t step) override {
        const std::int64_t tokens = m_plan.groupShare(m_group).count;
        m_rank.alive();
        if (tokens == 0 && m_grid.ring == 1)
            return;
        const at::Tensor all = rowsIn(m_in[std::size_t(step % 2)], {0, tokens}, 3, step);
        const at::Tensor out
            = rowsIn(m_mixed[std::size_t(step % 2)], {0, tokens}, 1, step).select(1, 0);
        const auto part = [&](std::int64_t i) { // [1, heads, tokens, D]
            return all.select(1, i).transpose(0, 1).unsqueeze(0);
        };
        if (m_grid.ring > 1)
            return ringAttend(
                m_rank, m_plan, part(0),
                [&](const at::Tensor& kv) { kv.copy_(all.narrow(1, 1, 2).transpose(0, 1)); }, out);
        ChunkSum sum(m_rank, m_choice, part(0), out, 1, tokens);
        sum.add(part(1), part(2), "attention");
        sum.end();
    }

    void keep(std::int64_t step) override {
        for (int place = 0; place < m_grid.ulysses; ++place) {
            const at::Tensor piece = place == m_me ? mixed(step, place) : back(step, place);
            m_out.narrow(1, headOf(step, place), headsOf(step)).copy_(piece.select(1, 0));
        }
        m_rank.alive();
    }

private:
    /// Heads of each rank's part in one step.
    std::int64_t headsOf(std::int64_t step) const {
        return std::min(m_atOnce, m_part - step * m_atOnce);
    }
    std::int64_t headOf(std::int64_t step, int place) const {
        return place * m_part + step * m_atOnce;
    }
    /// Of the rank at a place of this group, counted from the group's first token.
    RingShare tokensOf(int place) const {
        RingShare share = m_plan.share(m_grid.rankAt(m_group, place));
        share.begin -= m_plan.groupShare(m_group).begin;
        return share;
    }

    void takeBuffers() {
        RingStaging& staging = m_rank.staging();
        const std::int64_t row
            = m_atOnce * m_out.size(2) * std::int64_t(elementSize(m_choice.type));
        const std::int64_t group = m_plan.largestGroupShare() * row;
        const std::int64_t others = (m_grid.ulysses - 1) * m_plan.largestShare() * row;
        m_in = {staging.buffer(StagingPlace::UlyssesIn0, 3 * group),
            staging.buffer(StagingPlace::UlyssesIn1, m_steps > 1 ? 3 * group : 0)};
        m_own = staging.buffer(StagingPlace::UlyssesOwn, 3 * others);
        m_mixed = {staging.buffer(StagingPlace::UlyssesMixed0, group),
            staging.buffer(StagingPlace::UlyssesMixed1, m_steps > 1 ? group : 0)};
        m_back = staging.buffer(StagingPlace::UlyssesBack, others);
    }

    /// Rows of a buffer, of `parts` times the numbers of a token in one step's heads.
    at::Tensor rowsIn(const at::Tensor& buffer, const RingShare& rows, std::int64_t parts,
        std::int64_t step) const {
        const std::int64_t D = m_out.size(2), count = headsOf(step);
        const std::int64_t row = parts * count * D * std::int64_t(elementSize(m_choice.type));
        return tensorIn(static_cast<const std::byte*>(buffer.const_data_ptr()) + rows.begin * row,
            {rows.count, parts, count, D}, m_choice.type);
    }

    at::Tensor in(std::int64_t step, int place) const {
        return rowsIn(m_in[std::size_t(step % 2)], tokensOf(place), 3, step);
    }
    at::Tensor own(std::int64_t step, int place) const {
        return rowsIn(m_own, ownRowsFor(place), 3, step);
    }
    at::Tensor mixed(std::int64_t step, int place) const {
        return rowsIn(m_mixed[std::size_t(step % 2)], tokensOf(place), 1, step);
    }
    at::Tensor back(std::int64_t step, int place) const {
        return rowsIn(m_back, ownRowsFor(place), 1, step);
    }
    /// Each other place has as many rows as there are own tokens.
    RingShare ownRowsFor(int place) const {
        const std::int64_t tokens = tokensOf(m_me).count;
        return {(place < m_me ? place : place - 1) * tokens, tokens};
    }

    static std::span<std::byte> bytesOf(const at::Tensor& piece) {
        return {static_cast<std::byte*>(piece.mutable_data_ptr()), piece.nbytes()};
    }

    RingRank& m_rank;
    const RingPlan& m_plan;
    const RankGrid& m_grid;
    int m_group;
    int m_me; ///< the place in the group
    const HeadsWriter& m_write;
    at::Tensor m_out; ///< [t, H, D]
    ChunkChoice m_choice;
    std::int64_t m_part; ///< heads of each rank
    std::int64_t m_atOnce; ///< of them in one step
    std::int64_t m_steps;
    std::array<at::Tensor, 2> m_in; ///< bytes, as all of these
    at::Tensor m_own;
    std::array<at::Tensor, 2> m_mixed;
    at::Tensor m_back;
};

} // namespace

void ulyssesAttend(
    RingRank& rank, const RingPlan& plan, const HeadsWriter& write, const at::Tensor& out) {
    TensorWork work(rank, plan, write, out);
    ulyssesPass(rank.index(), plan.grid(), work.steps(), rank.transport(), work);
}

} // namespace maskscope
