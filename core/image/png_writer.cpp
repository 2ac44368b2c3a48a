// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/png_writer.h"

#include <bit>
#include <csetjmp>
#include <new>
#include <png.h>
#include <utility>

namespace maskscope {
namespace {

struct Layout {
    int width;
    int height;
    int depth; ///< bits per channel
    int colourType; ///< PNG_COLOR_TYPE_*
};

/// libpng leaves by longjmp: run() catches that, so that nothing with a destructor may be made
/// inside its step.
class PngWriter {
public:
    PngWriter()
        : m_png(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, &onError, &onWarning)) {
        m_info = m_png == nullptr ? nullptr : png_create_info_struct(m_png);
        if (m_info == nullptr) {
            png_destroy_write_struct(&m_png, nullptr);
            throw std::bad_alloc();
        }
        png_set_write_fn(m_png, this, &onWrite, nullptr);
    }
    ~PngWriter() { png_destroy_write_struct(&m_png, &m_info); }
    PngWriter(const PngWriter&) = delete;
    PngWriter& operator=(const PngWriter&) = delete;

    std::vector<std::byte> write(
        const Layout& layout, const void* pixels, std::span<const Rgb> palette) {
        std::vector<png_color> colours;
        for (const Rgb& colour : palette)
            colours.push_back({colour[0], colour[1], colour[2]});
        run([&] {
            png_set_IHDR(m_png, m_info, png_uint_32(layout.width), png_uint_32(layout.height),
                layout.depth, layout.colourType, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
            if (!colours.empty())
                png_set_PLTE(m_png, m_info, colours.data(), int(colours.size()));
            png_write_info(m_png, m_info);
            if (layout.depth == 16 && std::endian::native == std::endian::little)
                png_set_swap(m_png);
            const auto* row = static_cast<const png_byte*>(pixels);
            const std::size_t stride = png_get_rowbytes(m_png, m_info);
            for (int y = 0; y < layout.height; ++y, row += stride)
                png_write_row(m_png, row);
            png_write_end(m_png, m_info);
        });
        return std::move(m_bytes);
    }

private:
    template <class Step>
    void run(Step step) {
        if (setjmp(png_jmpbuf(m_png)) != 0)
            throw std::bad_alloc(); // the layouts are valid: nothing else can fail in memory
        step();
    }

    static void onError(png_structp png, png_const_charp) { png_longjmp(png, 1); }
    static void onWarning(png_structp, png_const_charp) { }

    static void onWrite(png_structp png, png_bytep data, std::size_t count) {
        if (!append(*static_cast<PngWriter*>(png_get_io_ptr(png)), data, count))
            png_error(png, "out of memory");
    }

    // Apart from onWrite, which must not leave a handler by longjmp.
    static bool append(PngWriter& writer, png_const_bytep data, std::size_t count) {
        try {
            const auto* begin = reinterpret_cast<const std::byte*>(data);
            writer.m_bytes.insert(writer.m_bytes.end(), begin, begin + count);
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    }

    png_structp m_png;
    png_infop m_info = nullptr;
    std::vector<std::byte> m_bytes;
};

} // namespace

std::vector<std::byte> encodeGrayPng(int width, int height, std::span<const std::uint8_t> pixels) {
    return PngWriter().write({width, height, 8, PNG_COLOR_TYPE_GRAY}, pixels.data(), {});
}

std::vector<std::byte> encodeGray16Png(
    int width, int height, std::span<const std::uint16_t> pixels) {
    return PngWriter().write({width, height, 16, PNG_COLOR_TYPE_GRAY}, pixels.data(), {});
}

std::vector<std::byte> encodeRgbPng(int width, int height, std::span<const std::uint8_t> pixels) {
    return PngWriter().write({width, height, 8, PNG_COLOR_TYPE_RGB}, pixels.data(), {});
}

std::vector<std::byte> encodeIndexedPng(
    int width, int height, std::span<const std::uint8_t> pixels, std::span<const Rgb> palette) {
    return PngWriter().write({width, height, 8, PNG_COLOR_TYPE_PALETTE}, pixels.data(), palette);
}

} // namespace maskscope
