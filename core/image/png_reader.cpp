// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/orientation.h"
#include "core/image/raster.h"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <new>
#include <png.h>
#include <string>
#include <vector>

namespace maskscope {
namespace {

constexpr std::size_t kSignatureBytes = 8;

std::uint32_t bigEndian(std::span<const std::byte> bytes) {
    std::uint32_t value = 0;
    for (const std::byte byte : bytes.first(4))
        value = value << 8 | std::to_integer<std::uint32_t>(byte);
    return value;
}

bool hasType(std::span<const std::byte> type, std::string_view name) {
    return std::equal(name.begin(), name.end(), type.begin(),
        [](char c, std::byte byte) { return static_cast<char>(byte) == c; });
}

/// What the list of chunks says before anything is unpacked.
struct PngOutline {
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::int64_t packedBytes = 0; ///< of the picture
    int frames = 1; ///< of an animation (APNG)
};

PngOutline outlineOf(std::span<const std::byte> bytes, std::string_view name) {
    constexpr std::size_t kHeaderEnd = kSignatureBytes + 8 + 13;
    if (bytes.size() < kHeaderEnd || !hasType(bytes.subspan(kSignatureBytes + 4), "IHDR"))
        refuseDamaged(name, ImageFormat::Png, "it ends inside its header");
    PngOutline outline{bigEndian(bytes.subspan(16)), bigEndian(bytes.subspan(20))};
    std::span<const std::byte> rest = bytes.subspan(kSignatureBytes);
    while (rest.size() >= 12) {
        const std::size_t length = std::min<std::size_t>(bigEndian(rest), rest.size() - 12);
        const std::span<const std::byte> type = rest.subspan(4);
        if (hasType(type, "IDAT"))
            outline.packedBytes += std::int64_t(length);
        if (hasType(type, "acTL") && length >= 4)
            outline.frames = int(std::clamp(bigEndian(rest.subspan(8)), 1u, 0x7FFFFFFFu));
        rest = rest.subspan(length + 12);
    }
    return outline;
}

/// libpng reports through callbacks and leaves by longjmp: run() catches that, so that nothing with
/// a destructor may be made inside its step.
class PngReader {
public:
    PngReader(std::span<const std::byte> bytes, std::string_view name)
        : m_name(name)
        , m_rest(bytes)
        , m_png(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &onError, &onWarning)) {
        m_info = m_png == nullptr ? nullptr : png_create_info_struct(m_png);
        if (m_info == nullptr) {
            png_destroy_read_struct(&m_png, nullptr, nullptr);
            throw std::bad_alloc();
        }
        png_set_read_fn(m_png, this, &onRead);
        png_set_user_limits(m_png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    }
    ~PngReader() { png_destroy_read_struct(&m_png, &m_info, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    Raster read(const PngOutline& outline) {
        if (!run([&] { readHeader(); }))
            refuse();
        Raster raster;
        raster.width = int(outline.width);
        raster.height = int(outline.height);
        raster.channels = png_get_channels(m_png, m_info);
        describe(raster.source, outline);
        if (png_get_bit_depth(m_png, m_info) == 16)
            raster.samples = readRows<std::uint16_t>(raster);
        else
            raster.samples = readRows<std::uint8_t>(raster);
        // All pixels are there; what follows is the end marker and remarks.
        if (!run([&] { png_read_end(m_png, m_info); }))
            raster.source.notes.push_back("The PNG is cut off or damaged behind its pixels.");
        raster.source.orientation = orientation();
        return raster;
    }

private:
    template <class Step>
    bool run(Step step) {
        if (setjmp(png_jmpbuf(m_png)) != 0)
            return false;
        step();
        return true;
    }

    // Gray, gray and alpha, RGB or RGBA of 8 or 16 bits, whatever the file holds.
    void readHeader() {
        png_read_info(m_png, m_info);
        m_depth = png_get_bit_depth(m_png, m_info);
        m_colourType = png_get_color_type(m_png, m_info);
        m_transparency = png_get_valid(m_png, m_info, PNG_INFO_tRNS) != 0;
        png_set_expand(m_png);
        if (std::endian::native == std::endian::little)
            png_set_swap(m_png);
        png_set_interlace_handling(m_png);
        png_read_update_info(m_png, m_info);
    }

    // The entries of a palette are 8-bit RGB.
    void describe(ImageSource& source, const PngOutline& outline) const {
        const bool palette = m_colourType == PNG_COLOR_TYPE_PALETTE;
        source.depth = palette ? 8 : m_depth;
        source.channels = ((m_colourType & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1)
            + ((m_colourType & PNG_COLOR_MASK_ALPHA) != 0 || m_transparency ? 1 : 0);
        source.frames = outline.frames;
        if (outline.frames > 1)
            source.notes.push_back(onlyFirstIsRead(outline.frames, "frames"));
    }

    template <class Sample>
    std::vector<Sample> readRows(const Raster& raster) {
        const std::size_t stride = std::size_t(raster.width) * std::size_t(raster.channels);
        std::vector<Sample> samples(stride * std::size_t(raster.height));
        std::vector<png_bytep> rows(std::size_t(raster.height));
        for (std::size_t y = 0; y < rows.size(); ++y)
            rows[y] = reinterpret_cast<png_bytep>(samples.data() + y * stride);
        if (!run([&] { png_read_image(m_png, rows.data()); }))
            refuse();
        return samples;
    }

    int orientation() const {
        png_bytep data = nullptr;
        png_uint_32 size = 0;
        if (png_get_eXIf_1(m_png, m_info, &size, &data) == 0)
            return 1;
        return orientationOf({reinterpret_cast<const std::byte*>(data), size});
    }

    [[noreturn]] void refuse() const {
        refuseDamaged(m_name, ImageFormat::Png, m_ended ? "it ends early" : m_error);
    }

    static PngReader& self(png_structp png) {
        return *static_cast<PngReader*>(png_get_error_ptr(png));
    }

    static void onError(png_structp png, png_const_charp message) {
        PngReader& reader = self(png);
        std::strncpy(reader.m_error, message, sizeof reader.m_error - 1);
        png_longjmp(png, 1);
    }

    static void onWarning(png_structp, png_const_charp) { }

    static void onRead(png_structp png, png_bytep target, std::size_t count) {
        PngReader& reader = self(png);
        if (count > reader.m_rest.size()) {
            reader.m_ended = true;
            png_error(png, "end of data");
        }
        std::memcpy(target, reader.m_rest.data(), count);
        reader.m_rest = reader.m_rest.subspan(count);
    }

    std::string_view m_name;
    std::span<const std::byte> m_rest;
    png_structp m_png;
    png_infop m_info = nullptr;
    int m_depth = 0;
    int m_colourType = 0;
    bool m_transparency = false;
    bool m_ended = false;
    char m_error[128] = {};
};

} // namespace

Raster decodePng(std::span<const std::byte> bytes, std::string_view name) {
    const PngOutline outline = outlineOf(bytes, name);
    checkImageSize(outline.width, outline.height, name);
    // Deflate packs at most 1,032 : 1 and a pixel has at least one bit: a header that promises more
    // is refused before memory is taken for it.
    if (outline.packedBytes * 1032 * 8 < outline.width * outline.height)
        refuseDamaged(name, ImageFormat::Png, "it is too short for its size");
    return PngReader(bytes, name).read(outline);
}

} // namespace maskscope
