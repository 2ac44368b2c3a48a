// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/rle.h"

#include "core/base/error.h"
#include "core/mask/mask_geometry.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace maskscope {
namespace {

constexpr std::int64_t kMostPixels = 200'000'000; // as many as a picture that is read

[[noreturn]] void refuse(std::string_view what, const std::string& why) {
    throw Failure(ErrorKind::Input, std::string(what) + " " + why + ".");
}

void checkSize(std::int64_t width, std::int64_t height, std::string_view what) {
    if (width < 1 || height < 1 || width > kMostPixels / height)
        refuse(what,
            "has a size that no picture has: " + std::to_string(width) + " x "
                + std::to_string(height));
}

/// Collects runs and keeps their sum within the mask.
class Runs {
public:
    Runs(std::int64_t width, std::int64_t height, std::string_view what)
        : m_what(what) {
        checkSize(width, height, what);
        m_rle.width = int(width);
        m_rle.height = int(height);
        m_left = width * height;
    }

    void add(std::int64_t run) {
        if (run < 0)
            refuse(m_what, "has a negative run length, " + std::to_string(run));
        if (run > m_left)
            refuse(m_what, "has runs beyond the last pixel of its " + size());
        m_left -= run;
        m_rle.counts.push_back(static_cast<std::uint32_t>(run));
    }

    std::int64_t beforeLast() const {
        const std::size_t count = m_rle.counts.size();
        return count > 2 ? std::int64_t(m_rle.counts[count - 2]) : 0;
    }

    Rle finish() && {
        if (m_left != 0)
            refuse(m_what, "lacks runs for " + std::to_string(m_left) + " pixels of its " + size());
        return std::move(m_rle);
    }

private:
    std::string size() const {
        return std::to_string(m_rle.width) + " x " + std::to_string(m_rle.height) + " pixels";
    }

    std::string_view m_what;
    Rle m_rle;
    std::int64_t m_left = 0;
};

/// Calls visit(begin, end) with the positions, counted down the columns, of each run of ones.
template <class Visit>
void forEachRunOfOnes(const Rle& rle, Visit visit) {
    std::int64_t position = 0;
    bool ones = false;
    for (const std::uint32_t count : rle.counts) {
        if (ones && count > 0)
            visit(position, position + count);
        position += count;
        ones = !ones;
    }
}

} // namespace

std::int64_t Rle::area() const {
    std::int64_t sum = 0;
    forEachRunOfOnes(*this, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
    return sum;
}

std::array<int, 4> Rle::bbox() const {
    std::int64_t left = width;
    std::int64_t right = -1;
    std::int64_t top = height;
    std::int64_t bottom = -1;
    forEachRunOfOnes(*this, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t firstColumn = begin / height;
        const std::int64_t lastColumn = (end - 1) / height;
        // A run that reaches the next column covers the last row of one and the first of the other.
        const bool wraps = firstColumn != lastColumn;
        left = std::min(left, firstColumn);
        right = std::max(right, lastColumn);
        top = std::min(top, wraps ? 0 : begin % height);
        bottom = std::max(bottom, wraps ? height - 1 : (end - 1) % height);
    });
    if (right < 0)
        return {};
    return {int(left), int(top), int(right - left + 1), int(bottom - top + 1)};
}

Rle encodeRle(const Mask& mask) {
    Rle rle{mask.width, mask.height, {}};
    std::uint32_t run = 0;
    std::uint8_t value = 0;
    const std::size_t width = std::size_t(mask.width);
    for (std::size_t x = 0; x < width; ++x) {
        for (std::size_t y = 0; y < std::size_t(mask.height); ++y) {
            const std::uint8_t bit = mask.bits[y * width + x] != 0 ? 1 : 0;
            if (bit != value) {
                rle.counts.push_back(run);
                run = 0;
                value = bit;
            }
            ++run;
        }
    }
    rle.counts.push_back(run);
    return rle;
}

Mask decodeRle(const Rle& rle) {
    Mask mask;
    mask.width = rle.width;
    mask.height = rle.height;
    const std::size_t width = std::size_t(rle.width);
    mask.bits.assign(width * std::size_t(rle.height), 0);
    forEachRunOfOnes(rle, [&](std::int64_t begin, std::int64_t end) {
        std::size_t x = std::size_t(begin / rle.height);
        std::size_t y = std::size_t(begin % rle.height);
        for (std::int64_t i = begin; i < end; ++i) {
            mask.bits[y * width + x] = 1;
            if (++y == std::size_t(rle.height)) {
                y = 0;
                ++x;
            }
        }
    });
    measure(mask);
    return mask;
}

std::string compressedCounts(const Rle& rle) {
    std::string text;
    for (std::size_t i = 0; i < rle.counts.size(); ++i) {
        std::int64_t rest = rle.counts[i];
        if (i > 2)
            rest -= rle.counts[i - 2];
        bool more = true;
        while (more) {
            std::int64_t piece = rest & 0x1F;
            rest >>= 5;
            more = (piece & 0x10) != 0 ? rest != -1 : rest != 0;
            if (more)
                piece |= 0x20;
            text += static_cast<char>(piece + '0');
        }
    }
    return text;
}

Rle rleFromCounts(std::int64_t width, std::int64_t height, const std::vector<std::int64_t>& counts,
    std::string_view what) {
    Runs runs(width, height, what);
    for (const std::int64_t count : counts)
        runs.add(count);
    return std::move(runs).finish();
}

Rle rleFromText(
    std::int64_t width, std::int64_t height, std::string_view counts, std::string_view what) {
    constexpr int kMostBits = 40; // of a run or difference, with room for the sign
    Runs runs(width, height, what);
    std::int64_t value = 0;
    int bits = 0;
    for (const char character : counts) {
        if (character < '0' || character > '0' + 63 || bits >= kMostBits)
            refuse(what, "is not compressed COCO RLE");
        const std::int64_t piece = character - '0';
        value |= (piece & 0x1F) << bits;
        bits += 5;
        if ((piece & 0x20) != 0)
            continue;
        if ((piece & 0x10) != 0)
            value -= std::int64_t{1} << bits;
        runs.add(value + runs.beforeLast());
        value = 0;
        bits = 0;
    }
    if (bits != 0)
        refuse(what, "ends inside a run length");
    return std::move(runs).finish();
}

nlohmann::json rleToJson(const Rle& rle) {
    return {{"size", {rle.height, rle.width}}, {"counts", compressedCounts(rle)}};
}

Rle rleFromJson(const nlohmann::json& json, std::string_view what) {
    const auto isWhole = [](const nlohmann::json& value) { return value.is_number_integer(); };
    const auto size = json.is_object() ? json.find("size") : json.end();
    const auto counts = json.is_object() ? json.find("counts") : json.end();
    if (size == json.end() || counts == json.end())
        refuse(what, "lacks \"size\" or \"counts\"");
    if (!size->is_array() || size->size() != 2 || !std::all_of(size->begin(), size->end(), isWhole))
        refuse(what, "has a \"size\" that is not [height, width]");
    const auto height = (*size)[0].get<std::int64_t>();
    const auto width = (*size)[1].get<std::int64_t>();
    if (counts->is_string())
        return rleFromText(width, height, counts->get_ref<const std::string&>(), what);
    if (!counts->is_array() || !std::all_of(counts->begin(), counts->end(), isWhole))
        refuse(what, "has \"counts\" that are neither text nor whole numbers");
    return rleFromCounts(width, height, counts->get<std::vector<std::int64_t>>(), what);
}

} // namespace maskscope
