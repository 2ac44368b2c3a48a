// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace maskscope {

namespace {

bool earlier(const MemorySample& a, const MemorySample& b) {
    return a.tMs < b.tMs;
}

} // namespace

std::int64_t liveBytes(const MemorySample& sample, Weights weights) {
    return weights == Weights::Shown
        ? sample.live
        : sample.live - sample.byCategory.at(static_cast<std::size_t>(MemoryCategory::Weights));
}

MemorySeries::MemorySeries(std::size_t capacity)
    : m_capacity(std::max<std::size_t>(capacity, 2)) { }

void MemorySeries::clear() {
    m_samples.clear();
    m_peak.reset();
    m_peakWithoutWeights.reset();
    m_used = {};
}

void MemorySeries::add(const MemorySample& sample) {
    if (m_samples.size() >= m_capacity)
        halve();
    m_samples.insert(std::upper_bound(m_samples.begin(), m_samples.end(), sample, earlier), sample);
    if (!m_peak || sample.live > m_peak->live)
        m_peak = sample;
    if (!m_peakWithoutWeights
        || liveBytes(sample, Weights::Hidden) > liveBytes(*m_peakWithoutWeights, Weights::Hidden))
        m_peakWithoutWeights = sample;
    for (std::size_t i = 0; i < kMemoryCategories; ++i)
        m_used.at(i) = m_used.at(i) || sample.byCategory.at(i) > 0;
}

const MemorySample* MemorySeries::peak(Weights weights) const {
    const auto& peak = weights == Weights::Shown ? m_peak : m_peakWithoutWeights;
    return peak ? &*peak : nullptr;
}

std::optional<std::int64_t> MemorySeries::extraPeak() const {
    if (!m_peakWithoutWeights)
        return {};
    return liveBytes(*m_peakWithoutWeights, Weights::Hidden);
}

void MemorySeries::halve() {
    std::vector<MemorySample> kept;
    kept.reserve(m_samples.size() / 2 + 1);
    for (std::size_t i = 0; i < m_samples.size(); i += 2) {
        MemorySample& first = m_samples[i];
        if (i + 1 == m_samples.size()) {
            kept.push_back(std::move(first));
            break;
        }
        MemorySample& second = m_samples[i + 1];
        const auto process = first.process ? first.process : second.process;
        MemorySample& greater = first.live >= second.live ? first : second;
        if (!greater.process)
            greater.process = process;
        kept.push_back(std::move(greater));
    }
    m_samples = std::move(kept);
}

const MemorySample* MemorySeries::at(double tMs) const {
    MemorySample key;
    key.tMs = tMs;
    const auto after = std::upper_bound(m_samples.begin(), m_samples.end(), key, earlier);
    return after == m_samples.begin() ? nullptr : &*std::prev(after);
}

std::optional<std::int64_t> MemorySeries::processAt(double tMs) const {
    const MemorySample* sample = at(tMs);
    if (sample == nullptr)
        return {};
    for (auto i = sample - m_samples.data(); i >= 0; --i) {
        const MemorySample& earlierSample = m_samples[static_cast<std::size_t>(i)];
        if (tMs - earlierSample.tMs > kProcessGapMs)
            break;
        if (earlierSample.process)
            return earlierSample.process;
    }
    return {};
}

std::vector<MemorySample> MemorySeries::thinned(double lower, double upper, int columns) const {
    std::vector<MemorySample> result;
    if (const MemorySample* before = at(lower)) {
        result.push_back(*before);
        result.back().tMs = std::max(before->tMs, lower);
    }
    const double width = (upper - lower) / std::max(1, columns);
    MemorySample key;
    key.tMs = lower;
    auto next = std::upper_bound(m_samples.begin(), m_samples.end(), key, earlier);
    while (next != m_samples.end() && next->tMs <= upper) {
        const double border = lower + (std::floor((next->tMs - lower) / width) + 1) * width;
        auto greatest = next;
        auto last = next;
        for (; next != m_samples.end() && next->tMs <= upper && next->tMs < border; ++next) {
            if (next->live > greatest->live)
                greatest = next;
            last = next;
        }
        if (last == next) { // rounding put the sample on the border itself
            greatest = last = next;
            ++next;
        }
        result.push_back(*greatest);
        if (last != greatest)
            result.push_back(*last);
    }
    if (!result.empty() && lastMs() > upper && result.back().tMs < upper) {
        result.push_back(result.back());
        result.back().tMs = upper;
    }
    return result;
}

BytesByCategory stacked(const BytesByCategory& byCategory) {
    BytesByCategory edges{};
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kMemoryCategories; ++i) {
        sum += byCategory.at(i);
        edges.at(i) = sum;
    }
    return edges;
}

std::vector<ProcessPoint> processLine(const std::vector<MemorySample>& samples) {
    std::vector<ProcessPoint> line;
    for (const MemorySample& sample : samples) {
        if (!sample.process)
            continue;
        if (!line.empty() && sample.tMs - line.back().tMs > MemorySeries::kProcessGapMs)
            line.push_back(
                {(line.back().tMs + sample.tMs) / 2, std::numeric_limits<double>::quiet_NaN()});
        line.push_back({sample.tMs, static_cast<double>(*sample.process)});
    }
    return line;
}

void StageTrack::clear() {
    m_bands.clear();
    m_predictions.clear();
    m_ended = false;
}

void StageTrack::begin(Stage stage, double tMs) {
    const auto open = std::count_if(
        m_bands.begin(), m_bands.end(), [](const Band& band) { return !band.endMs; });
    m_bands.push_back({stage, tMs, {}, static_cast<int>(open), {}});
}

void StageTrack::end(const StageEnded& ended, double tMs) {
    const auto band = std::find_if(m_bands.rbegin(), m_bands.rend(),
        [&](const Band& candidate) { return candidate.stage == ended.stage && !candidate.endMs; });
    if (band == m_bands.rend())
        return;
    band->endMs = tMs;
    band->extraPeakBytes = ended.extraPeakBytes;
}

void StageTrack::endAll(double tMs) {
    m_ended = true;
    for (Band& band : m_bands)
        if (!band.endMs)
            band.endMs = tMs;
}

std::optional<std::int64_t> StageTrack::predicted(Stage stage) const {
    const auto found = m_predictions.find(stage);
    return found == m_predictions.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Stage> StageTrack::at(double tMs) const {
    std::optional<Stage> innermost;
    for (const Band& band : m_bands)
        if (band.beginMs <= tMs && (!band.endMs || tMs <= *band.endMs))
            innermost = band.stage;
    return innermost;
}

} // namespace maskscope
