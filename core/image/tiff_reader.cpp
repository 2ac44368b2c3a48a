// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/raster.h"
#include "core/image/tiff_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace maskscope {
namespace {

/// The first page.
class TiffReader {
public:
    TiffReader(std::span<const std::byte> bytes, std::string_view name)
        : m_name(name)
        , m_file{bytes, 0, {}}
        , m_tiff(openTiff(m_file)) { }

    Raster read() {
        if (m_tiff == nullptr)
            refuse("its structure is broken");
        readTags();
        checkImageSize(m_width, m_height, m_name);
        refuseIfTooShort();
        Raster raster;
        raster.width = int(m_width);
        raster.height = int(m_height);
        const bool palette = m_meaning == PHOTOMETRIC_PALETTE;
        raster.source.depth = palette ? 8 : m_bits;
        raster.source.channels = palette ? 3 : m_samplesPerPixel;
        raster.source.orientation = m_orientation >= 1 && m_orientation <= 8 ? m_orientation : 1;
        if (holdsPlainSamples())
            readSamples(raster);
        else
            readBytes(raster);
        const int pages = int(TIFFNumberOfDirectories(m_tiff.get()));
        raster.source.frames = std::max(pages, 1);
        if (pages > 1)
            raster.source.notes.push_back(onlyFirstIsRead(pages, "pages"));
        return raster;
    }

private:
    template <class Value>
    void readTag(std::uint32_t tag, Value& value) {
        TIFFGetFieldDefaulted(m_tiff.get(), tag, &value);
    }

    void readTags() {
        readTag(TIFFTAG_IMAGEWIDTH, m_width);
        readTag(TIFFTAG_IMAGELENGTH, m_height);
        readTag(TIFFTAG_BITSPERSAMPLE, m_bits);
        readTag(TIFFTAG_SAMPLESPERPIXEL, m_samplesPerPixel);
        readTag(TIFFTAG_SAMPLEFORMAT, m_sampleFormat);
        readTag(TIFFTAG_PLANARCONFIG, m_planes);
        readTag(TIFFTAG_ORIENTATION, m_orientation);
        TIFFGetField(m_tiff.get(), TIFFTAG_PHOTOMETRIC, &m_meaning);
        readAlpha();
    }

    void readAlpha() {
        std::uint16_t count = 0;
        std::uint16_t* extra = nullptr;
        TIFFGetFieldDefaulted(m_tiff.get(), TIFFTAG_EXTRASAMPLES, &count, &extra);
        if (count > 0 && extra[0] == EXTRASAMPLE_ASSOCALPHA)
            m_alpha = Alpha::Premultiplied;
        if (count > 0 && extra[0] == EXTRASAMPLE_UNASSALPHA)
            m_alpha = Alpha::Straight;
    }

    // Before memory is taken for what the header promises. The other compressions have no bound.
    void refuseIfTooShort() {
        std::uint16_t compression = COMPRESSION_NONE;
        readTag(TIFFTAG_COMPRESSION, compression);
        const std::int64_t bits = std::int64_t(m_width) * m_height * m_samplesPerPixel * m_bits;
        std::int64_t packed = std::numeric_limits<std::int64_t>::max();
        if (compression == COMPRESSION_NONE)
            packed = std::int64_t(m_file.bytes.size()) * 8;
        else if (compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE
            || compression == COMPRESSION_DEFLATE || compression == COMPRESSION_PACKBITS)
            packed = std::int64_t(m_file.bytes.size()) * 8 * 2000;
        if (bits > packed)
            refuse("it is too short for its size");
    }

    // Gray or RGB of whole bytes is read as it is stored; libtiff turns everything else into 8-bit
    // RGBA.
    bool holdsPlainSamples() const {
        const bool gray
            = m_meaning == PHOTOMETRIC_MINISBLACK || m_meaning == PHOTOMETRIC_MINISWHITE;
        const int colours = gray ? 1 : 3;
        return (gray || m_meaning == PHOTOMETRIC_RGB) && m_samplesPerPixel >= colours
            && (m_bits == 8 || m_bits == 16 || m_bits == 32 || m_bits == 64);
    }

    void readBytes(Raster& raster) {
        std::array<char, 1024> why{};
        if (TIFFRGBAImageOK(m_tiff.get(), why.data()) == 0)
            refuseKind(m_name, ImageFormat::Tiff, why.data());
        // Not filled beforehand: a header that promises more than there is costs no memory.
        const std::size_t count = std::size_t(m_width) * std::size_t(m_height);
        const auto pixels = std::make_unique_for_overwrite<std::uint32_t[]>(count);
        // Asked for in its own orientation, so that nothing is turned here.
        if (TIFFReadRGBAImageOriented(
                m_tiff.get(), m_width, m_height, pixels.get(), raster.source.orientation, 1)
            == 0)
            refuse("its pixels cannot be decoded");
        raster.channels = m_alpha ? 4 : 3;
        raster.alpha = Alpha::Premultiplied;
        std::vector<std::uint8_t> samples(count * std::size_t(raster.channels));
        auto out = samples.begin();
        for (std::size_t i = 0; i < count; ++i)
            for (int c = 0; c < raster.channels; ++c)
                *out++ = static_cast<std::uint8_t>(pixels[i] >> (8 * c));
        raster.samples = std::move(samples);
    }

    void readSamples(Raster& raster) {
        const bool gray = m_meaning != PHOTOMETRIC_RGB;
        raster.channels = (gray ? 1 : 3) + (m_alpha ? 1 : 0);
        raster.alpha = m_alpha.value_or(Alpha::Straight);
        const bool floating = m_sampleFormat == SAMPLEFORMAT_IEEEFP;
        const bool negative = m_sampleFormat == SAMPLEFORMAT_INT;
        if (floating && m_bits == 32)
            raster.samples = readAs<float, float>(raster);
        else if (floating && m_bits == 64)
            raster.samples = readAs<double, float>(raster);
        else if (negative && m_bits == 8)
            raster.samples = readAs<std::int8_t, float>(raster);
        else if (negative && m_bits == 16)
            raster.samples = readAs<std::int16_t, float>(raster);
        else if (negative && m_bits == 32)
            raster.samples = readAs<std::int32_t, float>(raster);
        else if (!floating && m_bits == 8)
            raster.samples = readAs<std::uint8_t, std::uint8_t>(raster);
        else if (!floating && m_bits == 16)
            raster.samples = readAs<std::uint16_t, std::uint16_t>(raster);
        else if (!floating && m_bits == 32)
            raster.samples = readAs<std::uint32_t, float>(raster);
        else
            refuseKind(m_name, ImageFormat::Tiff,
                std::to_string(m_bits) + " bits of sample format "
                    + std::to_string(m_sampleFormat));
    }

    template <class Stored, class Sample>
    std::vector<Sample> readAs(const Raster& raster) {
        std::vector<Sample> samples(
            std::size_t(m_width) * std::size_t(m_height) * std::size_t(raster.channels));
        const int planes = m_planes == PLANARCONFIG_SEPARATE ? raster.channels : 1;
        for (std::uint16_t plane = 0; plane < planes; ++plane)
            readPlane<Stored>(raster, plane, samples);
        if (m_meaning == PHOTOMETRIC_MINISWHITE)
            invert(raster, samples);
        return samples;
    }

    /// Rows and tiles alike: pixels of m_samplesPerPixel samples or, in planes, of one.
    struct Block {
        bool tiled = false;
        std::uint32_t width = 0;
        std::uint32_t height = 1;
        std::size_t pitch = 1; ///< samples a pixel
        std::size_t bytes = 0;
    };

    Block blockOf() {
        Block block;
        block.tiled = TIFFIsTiled(m_tiff.get()) != 0;
        block.width = m_width;
        if (block.tiled) {
            readTag(TIFFTAG_TILEWIDTH, block.width);
            readTag(TIFFTAG_TILELENGTH, block.height);
        }
        block.pitch = m_planes == PLANARCONFIG_SEPARATE ? 1 : m_samplesPerPixel;
        block.bytes = std::size_t(
            block.tiled ? TIFFTileSize(m_tiff.get()) : TIFFScanlineSize(m_tiff.get()));
        // A tile may go beyond the picture, but not to any size.
        constexpr std::uint32_t kMostBeyond = 8192;
        const std::size_t needed
            = std::size_t(block.width) * block.height * block.pitch * (m_bits / 8u);
        if (block.width > m_width + kMostBeyond || block.height > m_height + kMostBeyond
            || block.bytes < needed)
            refuse("its structure is broken");
        return block;
    }

    template <class Stored, class Sample>
    void readPlane(const Raster& raster, std::uint16_t plane, std::vector<Sample>& samples) {
        const Block block = blockOf();
        std::vector<Stored> stored(block.bytes / sizeof(Stored) + 1);
        for (std::uint32_t top = 0; top < m_height; top += block.height) {
            for (std::uint32_t left = 0; left < m_width; left += block.width) {
                const int read = block.tiled
                    ? int(TIFFReadTile(m_tiff.get(), stored.data(), left, top, 0, plane))
                    : TIFFReadScanline(m_tiff.get(), stored.data(), top, plane);
                if (read < 0)
                    refuse("its pixels cannot be decoded");
                copyBlock(block, stored, raster, {left, top, plane}, samples);
            }
        }
    }

    struct Place {
        std::uint32_t left;
        std::uint32_t top;
        std::uint16_t plane;
    };

    template <class Stored, class Sample>
    void copyBlock(const Block& block, const std::vector<Stored>& stored, const Raster& raster,
        const Place& place, std::vector<Sample>& samples) const {
        const std::size_t channels = std::size_t(raster.channels);
        const std::size_t copied = m_planes == PLANARCONFIG_SEPARATE ? 1 : channels;
        const std::size_t rows = std::min(block.height, m_height - place.top);
        const std::size_t columns = std::min(block.width, m_width - place.left);
        for (std::size_t y = 0; y < rows; ++y) {
            for (std::size_t x = 0; x < columns; ++x) {
                const Stored* from = &stored[(y * block.width + x) * block.pitch];
                Sample* to = &samples[((place.top + y) * m_width + place.left + x) * channels
                    + place.plane];
                for (std::size_t c = 0; c < copied; ++c)
                    to[c] = static_cast<Sample>(from[c]);
            }
        }
    }

    template <class Sample>
    static void invert(const Raster& raster, std::vector<Sample>& samples) {
        constexpr Sample kWhite
            = std::is_floating_point_v<Sample> ? 1 : std::numeric_limits<Sample>::max();
        for (std::size_t i = 0; i < samples.size(); i += std::size_t(raster.channels))
            samples[i] = static_cast<Sample>(kWhite - samples[i]);
    }

    [[noreturn]] void refuse(const std::string& what) const {
        refuseDamaged(m_name, ImageFormat::Tiff,
            m_file.error.empty() ? what : what + " (" + m_file.error + ")");
    }

    std::string_view m_name;
    TiffBytes m_file;
    TiffHandle m_tiff;
    std::uint32_t m_width = 0;
    std::uint32_t m_height = 0;
    std::uint16_t m_bits = 1;
    std::uint16_t m_samplesPerPixel = 1;
    std::uint16_t m_sampleFormat = SAMPLEFORMAT_UINT;
    std::uint16_t m_planes = PLANARCONFIG_CONTIG;
    std::uint16_t m_meaning = PHOTOMETRIC_MINISBLACK;
    std::uint16_t m_orientation = ORIENTATION_TOPLEFT;
    std::optional<Alpha> m_alpha;
};

} // namespace

Raster decodeTiff(std::span<const std::byte> bytes, std::string_view name) {
    return TiffReader(bytes, name).read();
}

} // namespace maskscope
