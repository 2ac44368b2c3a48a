// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/raster.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <type_traits>
#include <utility>

namespace maskscope {
namespace {

struct Range {
    double lowest = 0;
    double highest = 0;
};

template <class Sample>
double asDouble(Sample value) {
    return std::isfinite(double(value)) ? double(value) : 0;
}

bool hasAlpha(const Raster& raster) {
    return raster.channels % 2 == 0;
}

template <class Sample>
Range rangeOf(const Raster& raster, const std::vector<Sample>& samples) {
    Range range{asDouble(samples[0]), asDouble(samples[0])};
    const std::size_t channels = std::size_t(raster.channels);
    const std::size_t colours = channels - (hasAlpha(raster) ? 1 : 0);
    for (std::size_t pixel = 0; pixel < samples.size(); pixel += channels) {
        for (std::size_t c = 0; c < colours; ++c) {
            const double value = asDouble(samples[pixel + c]);
            range.lowest = std::min(range.lowest, value);
            range.highest = std::max(range.highest, value);
        }
    }
    return range;
}

std::string stretched(const Range& range) {
    std::ostringstream text;
    text << "The file's values lie between " << range.lowest << " and " << range.highest
         << "; this range is stretched to black and white.";
    return text.str();
}

// The values that become 0 and 255.
template <class Sample>
Range shownRange(const Raster& raster, const std::vector<Sample>& samples, ImageSource& source) {
    constexpr bool kFloating = std::is_floating_point_v<Sample>;
    constexpr double kWhite = kFloating ? 1 : 65535;
    const Range found = rangeOf(raster, samples);
    const bool fits = kFloating ? found.lowest >= 0 && found.highest <= 1 : found.highest > 4095;
    if (fits || found.lowest == found.highest)
        return {0, std::max(kWhite, kFloating ? found.highest : kWhite)};
    source.notes.push_back(stretched(found));
    return found;
}

std::uint8_t toByte(double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

std::vector<std::uint8_t> toRgb(const Raster& raster, const std::vector<std::uint8_t>& samples) {
    const std::size_t channels = std::size_t(raster.channels);
    const std::size_t green = raster.channels <= 2 ? 0 : 1;
    std::vector<std::uint8_t> rgb(samples.size() / channels * 3);
    auto out = rgb.begin();
    for (std::size_t pixel = 0; pixel < samples.size(); pixel += channels) {
        const unsigned alpha = hasAlpha(raster) ? samples[pixel + channels - 1] : 255u;
        const unsigned weight = raster.alpha == Alpha::Straight ? alpha : 255u;
        for (const std::size_t c : {std::size_t{0}, green, 2 * green}) {
            const unsigned sum = samples[pixel + c] * weight + 255 * (255 - alpha);
            *out++ = static_cast<std::uint8_t>(std::min((sum + 127) / 255, 255u));
        }
    }
    return rgb;
}

template <class Sample>
std::vector<std::uint8_t> toRgb(
    const Raster& raster, const std::vector<Sample>& samples, const Range& range) {
    constexpr double kOpaque = std::is_floating_point_v<Sample> ? 1 : 65535;
    const double span = range.highest - range.lowest;
    const std::size_t channels = std::size_t(raster.channels);
    const std::size_t green = raster.channels <= 2 ? 0 : 1;
    std::vector<std::uint8_t> rgb(samples.size() / channels * 3);
    auto out = rgb.begin();
    for (std::size_t pixel = 0; pixel < samples.size(); pixel += channels) {
        const double alpha = hasAlpha(raster)
            ? std::clamp(asDouble(samples[pixel + channels - 1]) / kOpaque, 0.0, 1.0)
            : 1;
        const double weight = raster.alpha == Alpha::Straight ? alpha : 1;
        for (const std::size_t c : {std::size_t{0}, green, 2 * green}) {
            const double value = (asDouble(samples[pixel + c]) - range.lowest) / span;
            *out++ = toByte(255 * (value * weight + 1 - alpha));
        }
    }
    return rgb;
}

} // namespace

Image flatten(Raster raster) {
    Image image{raster.width, raster.height, {}, std::move(raster.source)};
    std::visit(
        [&](auto& samples) {
            using Sample = typename std::decay_t<decltype(samples)>::value_type;
            if constexpr (sizeof(Sample) == 1)
                image.rgb = raster.channels == 3 ? std::move(samples) : toRgb(raster, samples);
            else
                image.rgb = toRgb(raster, samples, shownRange(raster, samples, image.source));
        },
        raster.samples);
    return image;
}

} // namespace maskscope
