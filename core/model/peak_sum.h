// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace maskscope {

/// One image as the model sees it: what the memory of a run depends on beside the model.
struct SeenImage {
    std::int64_t gridHeight = 0; ///< patches
    std::int64_t gridWidth = 0;
    std::int64_t elementBytes = 4;
    int threads = 1;

    std::int64_t patches() const { return gridHeight * gridWidth; } ///< P
};

/// Follows what a computation holds, tensor by tensor in the order in which it takes and gives them
/// back, so that its peak is known before it runs. Each part that computes says its own, from the
/// same sizes: see addPeak() beside forward().
class PeakSum {
public:
    /// Of numbers of this many bytes.
    explicit PeakSum(std::int64_t elementBytes)
        : m_elementBytes(elementBytes) { }

    void take(std::int64_t numbers) { takeBytes(numbers * m_elementBytes); }
    void give(std::int64_t numbers) { giveBytes(numbers * m_elementBytes); }
    /// Held for a moment only.
    void pass(std::int64_t numbers) { passBytes(numbers * m_elementBytes); }

    void takeBytes(std::int64_t bytes) {
        m_held += bytes;
        m_peak = std::max(m_peak, m_held);
    }
    void giveBytes(std::int64_t bytes) { m_held -= bytes; }
    void passBytes(std::int64_t bytes) { m_peak = std::max(m_peak, m_held + bytes); }

    std::int64_t elementBytes() const { return m_elementBytes; }
    std::int64_t held() const { return m_held; } ///< bytes
    std::int64_t peak() const { return m_peak; } ///< bytes

private:
    std::int64_t m_elementBytes;
    std::int64_t m_held = 0;
    std::int64_t m_peak = 0;
};

} // namespace maskscope
