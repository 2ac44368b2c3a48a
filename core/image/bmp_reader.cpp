// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/raster.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

// The format is Microsoft's ("Bitmap Storage"): a file header of 14 bytes, a second header whose
// size is its version, a palette, and rows from the bottom to the top, padded to 4 bytes.
namespace maskscope {
namespace {

enum Compression : std::uint32_t { kNone = 0, kRle8 = 1, kRle4 = 2, kMasks = 3, kAlphaMasks = 6 };

/// One colour's bits within a pixel of 16 or 32 bits.
struct Channel {
    std::uint32_t mask = 0;

    std::uint8_t valueIn(std::uint32_t pixel) const {
        if (mask == 0)
            return 255;
        const int shift = std::countr_zero(mask);
        const std::uint64_t most = mask >> shift;
        const std::uint64_t value = (pixel & mask) >> shift;
        return static_cast<std::uint8_t>((value * 255 + most / 2) / most);
    }
};

class BmpReader {
public:
    BmpReader(std::span<const std::byte> bytes, std::string_view name)
        : m_bytes(bytes)
        , m_name(name) {
        readHeader();
        checkImageSize(m_width, m_height, m_name);
        if (m_bits <= 8)
            readPalette();
        else
            readChannels();
    }

    Raster read() const {
        Raster raster;
        raster.width = int(m_width);
        raster.height = int(m_height);
        const bool alpha = m_bits > 8 && m_channels[3].mask != 0;
        raster.channels = alpha ? 4 : 3;
        raster.source.channels = raster.channels;
        std::vector<std::uint8_t> samples
            = m_bits <= 8 ? readIndices() : readPixels(std::size_t(raster.channels));
        // Many writers announce an alpha channel and leave it zero.
        if (alpha && isInvisible(samples))
            for (std::size_t i = 3; i < samples.size(); i += 4)
                samples[i] = 255;
        raster.samples = std::move(samples);
        return raster;
    }

private:
    std::uint32_t number(std::size_t offset, std::size_t count) const {
        if (offset > m_bytes.size() || count > m_bytes.size() - offset)
            refuseDamaged(m_name, ImageFormat::Bmp, "it ends early");
        std::uint32_t value = 0;
        for (std::size_t i = count; i-- > 0;)
            value = value << 8 | std::to_integer<std::uint32_t>(m_bytes[offset + i]);
        return value;
    }

    void readHeader() {
        m_pixelOffset = number(10, 4);
        m_headerSize = number(14, 4);
        if (m_headerSize == 12) { // OS/2 1.x
            m_width = number(18, 2);
            m_height = number(20, 2);
            m_bits = number(24, 2);
        } else {
            m_width = std::bit_cast<std::int32_t>(number(18, 4));
            m_height = std::bit_cast<std::int32_t>(number(22, 4));
            m_bits = number(28, 2);
            m_compression = number(30, 4);
        }
        m_topDown = m_height < 0;
        m_height = m_topDown ? -m_height : m_height;
        const bool plain = m_compression == kNone
            && (m_bits == 1 || m_bits == 4 || m_bits == 8 || m_bits == 16 || m_bits == 24
                || m_bits == 32);
        const bool runs
            = (m_compression == kRle8 && m_bits == 8) || (m_compression == kRle4 && m_bits == 4);
        const bool masks = (m_compression == kMasks || m_compression == kAlphaMasks)
            && (m_bits == 16 || m_bits == 32);
        if (!plain && !runs && !masks)
            refuseKind(m_name, ImageFormat::Bmp,
                std::to_string(m_bits) + " bits with compression " + std::to_string(m_compression));
    }

    void readPalette() {
        const std::size_t entry = m_headerSize == 12 ? 3 : 4;
        const std::uint32_t most = 1u << m_bits;
        const std::uint32_t used = m_headerSize == 12 ? 0 : number(46, 4);
        const std::size_t count = used == 0 ? most : std::min(used, most);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = 14 + m_headerSize + i * entry;
            for (std::size_t c = 0; c < 3; ++c)
                m_palette[i][c] = static_cast<std::uint8_t>(number(at + 2 - c, 1));
        }
    }

    void readChannels() {
        if (m_compression == kNone) {
            constexpr std::array<Channel, 4> kFifteen{{{0x7C00}, {0x03E0}, {0x001F}, {0}}};
            constexpr std::array<Channel, 4> kTrue{{{0xFF0000}, {0xFF00}, {0xFF}, {0}}};
            m_channels = m_bits == 16 ? kFifteen : kTrue;
            return;
        }
        const bool alpha = m_headerSize >= 56 || m_compression == kAlphaMasks;
        for (std::size_t c = 0; c < (alpha ? 4u : 3u); ++c)
            m_channels[c].mask = number(54 + 4 * c, 4);
    }

    std::size_t stride() const { return (std::size_t(m_width) * m_bits + 31) / 32 * 4; }

    std::size_t outputRow(std::size_t stored) const {
        return m_topDown ? stored : std::size_t(m_height) - 1 - stored;
    }

    void checkLength() const {
        const std::size_t needed = stride() * std::size_t(m_height);
        if (m_pixelOffset > m_bytes.size() || needed > m_bytes.size() - m_pixelOffset)
            refuseDamaged(m_name, ImageFormat::Bmp, "it ends early");
    }

    std::vector<std::uint8_t> readPixels(std::size_t channels) const {
        checkLength();
        const std::size_t width = std::size_t(m_width);
        const std::size_t pixelBytes = m_bits / 8;
        std::vector<std::uint8_t> samples(width * std::size_t(m_height) * channels);
        for (std::size_t row = 0; row < std::size_t(m_height); ++row) {
            const std::byte* in = m_bytes.data() + m_pixelOffset + row * stride();
            std::uint8_t* out = samples.data() + outputRow(row) * width * channels;
            for (std::size_t x = 0; x < width; ++x) {
                std::uint32_t pixel = 0;
                for (std::size_t i = pixelBytes; i-- > 0;)
                    pixel = pixel << 8 | std::to_integer<std::uint32_t>(in[x * pixelBytes + i]);
                for (std::size_t c = 0; c < channels; ++c)
                    *out++ = m_channels[c].valueIn(pixel);
            }
        }
        return samples;
    }

    std::vector<std::uint8_t> readIndices() const {
        const std::vector<std::uint8_t> indices
            = m_compression == kNone ? readPacked() : readRuns();
        std::vector<std::uint8_t> samples(indices.size() * 3);
        auto out = samples.begin();
        for (const std::uint8_t index : indices)
            out = std::copy(m_palette[index].begin(), m_palette[index].end(), out);
        return samples;
    }

    std::vector<std::uint8_t> readPacked() const {
        checkLength();
        const std::size_t width = std::size_t(m_width);
        const std::size_t perByte = 8 / m_bits;
        std::vector<std::uint8_t> indices(width * std::size_t(m_height));
        for (std::size_t row = 0; row < std::size_t(m_height); ++row) {
            const std::byte* in = m_bytes.data() + m_pixelOffset + row * stride();
            std::uint8_t* out = indices.data() + outputRow(row) * width;
            for (std::size_t x = 0; x < width; ++x) {
                const unsigned shift = unsigned(8 - m_bits * (x % perByte + 1));
                out[x] = static_cast<std::uint8_t>(
                    std::to_integer<unsigned>(in[x / perByte]) >> shift & ((1u << m_bits) - 1));
            }
        }
        return indices;
    }

    // Pairs (count, index); a count of 0 introduces 0 end of row, 1 end of picture, 2 a jump, or a
    // number of plain indices.
    std::vector<std::uint8_t> readRuns() const {
        const std::size_t width = std::size_t(m_width);
        const std::size_t height = std::size_t(m_height);
        std::vector<std::uint8_t> indices(width * height);
        std::size_t at = m_pixelOffset;
        std::size_t x = 0;
        std::size_t row = 0;
        const auto put = [&](std::uint32_t index) {
            if (x < width && row < height)
                indices[outputRow(row) * width + x] = static_cast<std::uint8_t>(index);
            ++x;
        };
        const auto nibble = [&](std::uint32_t byte, std::uint32_t i) {
            return m_bits == 8 ? byte : (i % 2 == 0 ? byte >> 4 : byte & 15);
        };
        while (row < height) {
            const std::uint32_t count = number(at, 1);
            const std::uint32_t value = number(at + 1, 1);
            at += 2;
            if (count > 0) {
                for (std::uint32_t i = 0; i < count; ++i)
                    put(nibble(value, i));
            } else if (value == 0) {
                x = 0;
                ++row;
            } else if (value == 1) {
                break;
            } else if (value == 2) {
                x += number(at, 1);
                row += number(at + 1, 1);
                at += 2;
            } else {
                const std::size_t bytes = m_bits == 8 ? value : (value + 1) / 2;
                for (std::uint32_t i = 0; i < value; ++i)
                    put(nibble(number(at + (m_bits == 8 ? i : i / 2), 1), i));
                at += (bytes + 1) / 2 * 2;
            }
        }
        return indices;
    }

    static bool isInvisible(const std::vector<std::uint8_t>& rgba) {
        for (std::size_t i = 3; i < rgba.size(); i += 4)
            if (rgba[i] != 0)
                return false;
        return true;
    }

    std::span<const std::byte> m_bytes;
    std::string_view m_name;
    std::size_t m_pixelOffset = 0;
    std::uint32_t m_headerSize = 0;
    std::int64_t m_width = 0;
    std::int64_t m_height = 0;
    std::uint32_t m_bits = 0;
    std::uint32_t m_compression = kNone;
    bool m_topDown = false;
    std::array<std::array<std::uint8_t, 3>, 256> m_palette{};
    std::array<Channel, 4> m_channels{};
};

} // namespace

Raster decodeBmp(std::span<const std::byte> bytes, std::string_view name) {
    return BmpReader(bytes, name).read();
}

} // namespace maskscope
