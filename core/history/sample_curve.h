// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/memory/sample.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace maskscope {

/// What of a sample that is left out stays in its higher neighbour.
inline void keepFigures(const MemorySample& left, MemorySample& kept) {
    // An absent figure is below all others.
    kept.process = std::max(kept.process, left.process);
    kept.deviceUsed = std::max(kept.deviceUsed, left.deviceUsed);
    kept.reserved = std::max(kept.reserved, left.reserved);
    kept.deviceTotal = std::max(kept.deviceTotal, left.deviceTotal);
}
inline void keepFigures(const RankSample&, RankSample&) { }

/// The samples of one curve, thinned as it grows: each but the first is the highest of as many
/// that were measured.
template <class Sample>
class SampleCurve {
public:
    struct Arrived {
        std::size_t number = 0; ///< in the order of all events
        double tMs = 0; ///< of its event
        Sample sample;
    };

    void add(const Arrived& arrived, std::size_t most) {
        if (m_samples.size() == most && m_inLast == m_stride)
            halve();
        if (m_samples.size() < 2 || m_inLast == m_stride) {
            m_samples.push_back(arrived);
            m_inLast = 1;
            return;
        }
        ++m_inLast;
        join(arrived, m_samples.back());
    }

    const std::vector<Arrived>& samples() const { return m_samples; }

private:
    static void join(const Arrived& other, Arrived& kept) {
        Arrived lower = other;
        if (other.sample.live > kept.sample.live)
            std::swap(lower, kept);
        keepFigures(lower.sample, kept.sample);
    }

    void halve() {
        std::size_t kept = 1; // the first stays as it is
        for (std::size_t i = 1; i < m_samples.size(); i += 2) {
            m_samples[kept] = m_samples[i];
            if (i + 1 < m_samples.size())
                join(m_samples[i + 1], m_samples[kept]);
            ++kept;
        }
        // An even number of samples leaves the last one without a partner.
        m_inLast = m_samples.size() % 2 == 0 ? m_stride : 2 * m_stride;
        m_stride *= 2;
        m_samples.resize(kept);
    }

    std::vector<Arrived> m_samples;
    std::size_t m_stride = 1;
    std::size_t m_inLast = 0; ///< how many the last stands for
};

} // namespace maskscope
