// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "core/memory/sample.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace maskscope {

/// Whether the model's weights, which the whole run carries, are part of the picture.
enum class Weights { Shown, Hidden };
/// Live bytes, with or without the weights.
std::int64_t liveBytes(const MemorySample& sample, Weights weights);

/// The memory curve of one run on one device, in order of time and of bounded size: when it is
/// full, every two neighbours become one, the one with more live bytes, so that no peak is ever
/// lost.
class MemorySeries {
public:
    explicit MemorySeries(std::size_t capacity = 32'768);

    void clear();
    /// Samples may come slightly out of order (two threads measure).
    void add(const MemorySample& sample);

    bool isEmpty() const { return m_samples.empty(); }
    const std::vector<MemorySample>& samples() const { return m_samples; }
    double lastMs() const { return isEmpty() ? 0 : m_samples.back().tMs; }
    /// The sample with the most live bytes, the first of equals; null when empty.
    const MemorySample* peak(Weights weights = Weights::Shown) const;
    /// The peak above the weights; absent when empty.
    std::optional<std::int64_t> extraPeak() const;
    /// What held at `tMs`: the latest sample that is not later, or null before the first.
    const MemorySample* at(double tMs) const;
    /// The process figure that held at `tMs`; absent when none was measured within kProcessGapMs.
    std::optional<std::int64_t> processAt(double tMs) const;
    /// Categories that held anything at any time of the run.
    std::array<bool, kMemoryCategories> used() const { return m_used; }

    /// The curve in [lower, upper] thinned to at most about 2 * `columns` samples, and what held at
    /// both ends. The greatest sample of every column is kept.
    std::vector<MemorySample> thinned(double lower, double upper, int columns) const;

    /// Between two measurements of the process this far apart the line is broken: the figure was
    /// not available, and a straight line would be an invention.
    static constexpr double kProcessGapMs = 500;

private:
    void halve();

    std::size_t m_capacity;
    std::vector<MemorySample> m_samples; // sorted by tMs
    std::optional<MemorySample> m_peak;
    std::optional<MemorySample> m_peakWithoutWeights;
    std::array<bool, kMemoryCategories> m_used{};
};

/// Upper edges of the stacked areas: element i is the sum of categories 0..i.
BytesByCategory stacked(const BytesByCategory& byCategory);

/// Process memory over time; a NaN value breaks the line.
struct ProcessPoint {
    double tMs = 0;
    double bytes = 0;
};
std::vector<ProcessPoint> processLine(const std::vector<MemorySample>& samples);

/// The stages of one run on the time axis.
class StageTrack {
public:
    struct Band {
        Stage stage;
        double beginMs = 0;
        std::optional<double> endMs; ///< absent while it runs
        int depth = 0; ///< stages that were open when it began
        std::optional<std::int64_t> extraPeakBytes; ///< absent where it did not come to its end
    };

    void clear();
    void begin(Stage stage, double tMs);
    /// Ends the innermost open band of this stage; ignored when there is none.
    void end(const StageEnded& ended, double tMs);
    /// Ends the run, and what it left open if it was cancelled or failed.
    void endAll(double tMs);
    /// Extra peaks from shapes, the greatest of each stage.
    void setPredictions(std::map<Stage, std::int64_t> bytes) { m_predictions = std::move(bytes); }
    std::optional<std::int64_t> predicted(Stage stage) const;

    const std::vector<Band>& bands() const { return m_bands; }
    /// The run has not ended.
    bool isOpen() const { return !m_ended; }
    /// The innermost stage at `tMs`.
    std::optional<Stage> at(double tMs) const;

private:
    std::vector<Band> m_bands;
    std::map<Stage, std::int64_t> m_predictions;
    bool m_ended = false;
};

} // namespace maskscope
