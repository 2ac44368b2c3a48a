// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/logit_pair.h"

#include <algorithm>
#include <cmath>

namespace maskscope {

namespace {

/// Bilinear, pixel centres at halves, as masks are made from logits.
double logitAt(const LogitsProduced& logits, int x, int y, int width, int height) {
    const auto along = [](int pixel, int pixels, int places) {
        const double at = (pixel + 0.5) * places / pixels - 0.5;
        return std::clamp(at, 0.0, double(places - 1));
    };
    const double column = along(x, width, logits.width), row = along(y, height, logits.height);
    const int left = int(column), top = int(row);
    const int right = std::min(left + 1, logits.width - 1);
    const int bottom = std::min(top + 1, logits.height - 1);
    const auto value = [&](int r, int c) {
        return double(
            (*logits.values)[std::size_t(r) * std::size_t(logits.width) + std::size_t(c)]);
    };
    const double u = column - left, v = row - top;
    return (1 - v) * ((1 - u) * value(top, left) + u * value(top, right))
        + v * ((1 - u) * value(bottom, left) + u * value(bottom, right));
}

} // namespace

LogitIndex logitsOf(const RunRecord& record) {
    LogitIndex index;
    for (const Event& event : record.events)
        if (const auto* logits = std::get_if<LogitsProduced>(&event.payload))
            index[{logits->of, logits->index}] = logits;
    return index;
}

LogitPair::LogitPair(const LogitIndex& first, const LogitIndex& second, LogitsOf of, int index) {
    const auto a = first.find({of, index}), b = second.find({of, index});
    if (a == first.end() || b == second.end() || !a->second->values || !b->second->values
        || a->second->width != b->second->width || a->second->height != b->second->height)
        return;
    m_first = a->second;
    m_second = b->second;
}

double LogitPair::largestDifference() const {
    double largest = 0;
    for (std::size_t i = 0; i < m_first->values->size(); ++i) {
        const double difference
            = std::abs(double((*m_first->values)[i]) - double((*m_second->values)[i]));
        if (std::isnan(difference))
            return difference;
        largest = std::max(largest, difference);
    }
    return largest;
}

double LogitPair::largest() const {
    double largest = 0;
    for (const auto* logits : {m_first, m_second})
        for (const float value : *logits->values)
            largest = std::max(largest, std::abs(double(value)));
    return largest;
}

double LogitPair::largestWhereDiffering(const Mask& first, const Mask& second) const {
    double largest = 0;
    for (int y = 0; y < first.height; ++y)
        for (int x = 0; x < first.width; ++x) {
            const auto pixel = std::size_t(y) * std::size_t(first.width) + std::size_t(x);
            if (first.bits[pixel] == second.bits[pixel])
                continue;
            const double a = std::abs(logitAt(*m_first, x, y, first.width, first.height));
            const double b = std::abs(logitAt(*m_second, x, y, first.width, first.height));
            largest = std::max(largest, std::min(a, b));
        }
    return largest;
}

} // namespace maskscope
