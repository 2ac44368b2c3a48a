// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_runs.h"

#include <algorithm>
#include <cstring>

namespace maskscope {

namespace {

/// The first byte from `from` on that is `value`, or `end`.
const std::uint8_t* findByte(const std::uint8_t* from, const std::uint8_t* end, int value) {
    const void* found = std::memchr(from, value, static_cast<std::size_t>(end - from));
    return found != nullptr ? static_cast<const std::uint8_t*>(found) : end;
}

} // namespace

std::span<const std::int32_t> MaskRuns::row(int y) const {
    if (y < bbox[1] || y >= bbox[1] + bbox[3])
        return {};
    const auto i = static_cast<std::size_t>(y - bbox[1]);
    return std::span(edges).subspan(rows[i], rows[i + 1] - rows[i]);
}

bool MaskRuns::contains(int x, int y) const {
    const auto ins = row(y);
    // Inside, an odd number of edges lies at or before the pixel.
    return (std::upper_bound(ins.begin(), ins.end(), x) - ins.begin()) % 2 != 0;
}

std::int64_t MaskRuns::area() const {
    std::int64_t pixels = 0;
    for (std::size_t i = 0; i < edges.size(); i += 2)
        pixels += edges[i + 1] - edges[i];
    return pixels;
}

MaskRuns runsOf(const Mask& mask) {
    MaskRuns runs;
    if (mask.area == 0)
        return runs;
    const auto [left, top, width, height] = mask.bbox;
    runs.bbox = mask.bbox;
    runs.rows.reserve(static_cast<std::size_t>(height) + 1);
    runs.rows.push_back(0);
    for (int y = top; y < top + height; ++y) {
        const std::uint8_t* row
            = mask.bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(mask.width);
        const std::uint8_t* end = row + left + width;
        for (const std::uint8_t* at = findByte(row + left, end, 1); at != end;) {
            const std::uint8_t* out = findByte(at, end, 0);
            runs.edges.push_back(static_cast<std::int32_t>(at - row));
            runs.edges.push_back(static_cast<std::int32_t>(out - row));
            at = findByte(out, end, 1);
        }
        runs.rows.push_back(runs.edges.size());
    }
    return runs;
}

Mask maskOf(const MaskRuns& runs, int width, int height) {
    Mask mask;
    mask.width = width;
    mask.height = height;
    mask.bits.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    mask.bbox = runs.bbox;
    mask.area = runs.area();
    for (int y = runs.bbox[1]; y < runs.bbox[1] + runs.bbox[3]; ++y) {
        std::uint8_t* row
            = mask.bits.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
        const auto edges = runs.row(y);
        for (std::size_t i = 0; i < edges.size(); i += 2)
            std::fill(row + edges[i], row + edges[i + 1], std::uint8_t{1});
    }
    return mask;
}

} // namespace maskscope
