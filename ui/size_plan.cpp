// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/size_plan.h"

#include "core/measure/fit.h"
#include "core/model/model_size.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace maskscope {

namespace {

constexpr std::int64_t kLeastPixels = 1024;
constexpr double kMega = 1e6;

/// Through the last forecasts, by a quadratic only where they bend: rounding does not.
std::int64_t beyond(const std::vector<RunForecast>& forecasts, std::int64_t RunForecast::*bytes,
    std::int64_t patches) {
    const RunForecast& last = forecasts.back();
    std::vector<FitPoint> points;
    for (const double share : {0.25, 0.5, 1.0}) {
        const auto found
            = std::find_if(forecasts.begin(), forecasts.end(), [&](const RunForecast& forecast) {
                  return double(forecast.patches) >= share * double(last.patches);
              });
        points.push_back({found->patches, (*found).*bytes});
    }
    const auto line = fitPolynomial(std::span(points).subspan(1), 1);
    const auto quadratic = fitPolynomial(points, 2);
    if (!line)
        return last.*bytes;
    const bool bends = quadratic
        && quadratic->coefficients[2] * double(last.patches) > quadratic->coefficients[1];
    return static_cast<std::int64_t>((bends ? *quadratic : *line).at(double(patches)));
}

} // namespace

std::int64_t mostPixelsWithin(std::int64_t budget, std::int64_t most,
    const std::function<std::int64_t(std::int64_t pixels)>& need) {
    if (need(kLeastPixels) > budget)
        return 0;
    std::int64_t fits = kLeastPixels;
    std::int64_t tooMany = most + 1;
    while (tooMany - fits > 1 + fits / 1000) {
        // In the middle by ratio: sizes are told to two or three figures.
        const auto middle = static_cast<std::int64_t>(
            std::sqrt(static_cast<double>(fits) * static_cast<double>(tooMany)));
        const std::int64_t tried = middle <= fits ? fits + 1 : middle;
        (need(tried) <= budget ? fits : tooMany) = tried;
    }
    return tooMany > most && need(most) <= budget ? most : fits;
}

NeedCurve::NeedCurve(const std::vector<RunForecast>& forecasts, AttentionPath path) {
    for (const RunForecast& forecast : forecasts)
        if (forecast.path == path
            && (m_forecasts.empty() || forecast.patches > m_forecasts.back().patches))
            m_forecasts.push_back(forecast);
}

NeedCurve::Need NeedCurve::at(std::int64_t patches) const {
    const auto above = std::lower_bound(m_forecasts.begin(), m_forecasts.end(), patches,
        [](const RunForecast& forecast, std::int64_t count) { return forecast.patches < count; });
    if (above == m_forecasts.end())
        return {beyond(m_forecasts, &RunForecast::maskBytes, patches),
            beyond(m_forecasts, &RunForecast::peakBytes, patches)};
    if (above->patches == patches || above == m_forecasts.begin())
        return {above->maskBytes, above->peakBytes};
    const auto below = std::prev(above);
    const double share = double(patches - below->patches) / double(above->patches - below->patches);
    const auto between = [&](std::int64_t from, std::int64_t to) {
        return from + static_cast<std::int64_t>(share * double(to - from));
    };
    return {
        between(below->maskBytes, above->maskBytes), between(below->peakBytes, above->peakBytes)};
}

const std::vector<std::int64_t>& roundImageSizes() {
    static const std::vector<std::int64_t> kSizes = [] {
        std::vector<std::int64_t> sizes;
        constexpr std::int64_t kFirst = 50'000, kLast = 40'000'000;
        for (std::int64_t power = 1000; power <= kLast; power *= 10)
            for (const std::int64_t mantissa : {10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28,
                     30, 33, 36, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95})
                if (mantissa * power >= kFirst && mantissa * power <= kLast)
                    sizes.push_back(mantissa * power);
        return sizes;
    }();
    return kSizes;
}

std::int64_t patchesOf(std::int64_t pixels, const PictureShape& shape) {
    return modelSize(shape.width, shape.height, pixels).patches();
}

QString megapixelText(std::int64_t pixels) {
    const double mega = static_cast<double>(pixels) / kMega;
    const int decimals = mega < 1 ? 2 : mega < 10 ? 1 : 0;
    const double unit = std::pow(10, decimals);
    // A little slack, so that 2.1 stays 2.1.
    const double floored = std::floor(mega * unit + 1e-6) / unit;
    return QString::number(floored, 'f', decimals) + QChar(QChar::Nbsp) + QStringLiteral("MP");
}

} // namespace maskscope
