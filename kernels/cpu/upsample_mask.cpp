// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/bilinear.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace maskscope::kernels::cpu {

namespace {

/// Output columns that can be above the threshold in a row.
struct Columns {
    std::int32_t begin;
    std::int32_t end;
};

/// A column lies between two samples and is not above the threshold when neither is: only those
/// from the first to the last sample above it are left.
Columns candidates(
    const std::vector<float>& line /*[w]*/, const std::vector<Tap>& taps /*[W]*/, float threshold) {
    const auto above = [threshold](float logit) { return logit > threshold; };
    const auto first = std::find_if(line.begin(), line.end(), above);
    if (first == line.end())
        return {0, 0};
    const auto last = std::find_if(line.rbegin(), line.rend(), above).base() - 1;
    const auto begin = std::partition_point(taps.begin(), taps.end(),
        [i = first - line.begin()](const Tap& tap) { return tap.second < i; });
    const auto end = std::partition_point(
        begin, taps.end(), [i = last - line.begin()](const Tap& tap) { return tap.first <= i; });
    return {static_cast<std::int32_t>(begin - taps.begin()),
        static_cast<std::int32_t>(end - taps.begin())};
}

/// Extends by the ones of row y, all of which are in `columns`.
void extend(MaskExtent& extent, const std::uint8_t* row, std::int32_t y, Columns columns) {
    const auto ones
        = std::accumulate(row + columns.begin, row + columns.end, 0, std::plus<std::int32_t>());
    if (ones == 0)
        return;
    while (!row[columns.begin])
        ++columns.begin;
    while (!row[columns.end - 1])
        --columns.end;
    extent.area += ones;
    extent.left = std::min(extent.left, columns.begin);
    extent.right = std::max(extent.right, columns.end);
    extent.top = std::min(extent.top, y);
    extent.bottom = y + 1;
}

} // namespace

MaskExtent upsampleMask(const float* logits, std::int32_t h, std::int32_t w, float threshold,
    std::uint8_t* bits, std::int32_t height, std::int32_t width) {
    const float scaleY = static_cast<float>(h) / static_cast<float>(height);
    const float scaleX = static_cast<float>(w) / static_cast<float>(width);
    std::vector<Tap> taps(static_cast<std::size_t>(width));
    for (std::int32_t x = 0; x < width; ++x)
        taps[static_cast<std::size_t>(x)] = tapAt(x, scaleX, w);
    std::vector<float> line(static_cast<std::size_t>(w)); // logits between two rows of the input

    MaskExtent extent{0, width, height, 0, 0};
    for (std::int32_t y = 0; y < height; ++y) {
        const Tap rows = tapAt(y, scaleY, h);
        const float* first = logits + static_cast<std::int64_t>(rows.first) * w;
        const float* second = logits + static_cast<std::int64_t>(rows.second) * w;
        for (std::int32_t i = 0; i < w; ++i)
            line[static_cast<std::size_t>(i)] = mixed(first[i], second[i], rows.weight);
        std::uint8_t* row = bits + static_cast<std::int64_t>(y) * width;
        std::fill_n(row, width, std::uint8_t{0});
        const Columns columns = candidates(line, taps, threshold);
        for (std::int32_t x = columns.begin; x < columns.end; ++x) {
            const Tap& tap = taps[static_cast<std::size_t>(x)];
            row[x] = mixed(line[static_cast<std::size_t>(tap.first)],
                         line[static_cast<std::size_t>(tap.second)], tap.weight)
                > threshold;
        }
        extend(extent, row, y, columns);
    }
    return extent;
}

} // namespace maskscope::kernels::cpu
