// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/raster.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gif_lib.h>
#include <string>
#include <vector>

namespace maskscope {
namespace {

/// Goes through the blocks of a GIF up to the end of its first picture, then counts the others.
class GifReader {
public:
    GifReader(std::span<const std::byte> bytes, std::string_view name)
        : m_name(name)
        , m_rest(bytes) {
        int error = 0;
        m_gif = DGifOpen(this, &onRead, &error);
        if (m_gif == nullptr)
            refuse(error);
    }
    ~GifReader() { DGifCloseFile(m_gif, nullptr); }
    GifReader(const GifReader&) = delete;
    GifReader& operator=(const GifReader&) = delete;

    Raster read() {
        // Some writers leave the screen's size out; the first picture then has it.
        const bool sized = m_gif->SWidth > 0 && m_gif->SHeight > 0;
        if (!findPicture())
            refuse(m_gif->Error);
        const GifImageDesc& picture = m_gif->Image;
        Raster raster;
        raster.width = sized ? m_gif->SWidth : picture.Left + picture.Width;
        raster.height = sized ? m_gif->SHeight : picture.Top + picture.Height;
        checkImageSize(raster.width, raster.height, m_name);
        checkImageSize(picture.Width, picture.Height, m_name);
        raster.source.channels = m_transparent < 0 ? 3 : 4;
        raster.samples = readPicture(raster);
        raster.source.frames = 1 + countPictures();
        if (raster.source.frames > 1)
            raster.source.notes.push_back(onlyFirstIsRead(raster.source.frames, "frames"));
        return raster;
    }

private:
    // Stops behind the description of the next picture; false at the end and at damage.
    bool findPicture() {
        GifRecordType type = UNDEFINED_RECORD_TYPE;
        while (DGifGetRecordType(m_gif, &type) != GIF_ERROR) {
            if (type == IMAGE_DESC_RECORD_TYPE)
                return DGifGetImageDesc(m_gif) != GIF_ERROR;
            if (type == TERMINATE_RECORD_TYPE || !skipExtension())
                return false;
        }
        return false;
    }

    bool skipExtension() {
        int code = 0;
        GifByteType* block = nullptr;
        if (DGifGetExtension(m_gif, &code, &block) == GIF_ERROR)
            return false;
        while (block != nullptr) {
            GraphicsControlBlock control{};
            if (code == GRAPHICS_EXT_FUNC_CODE
                && DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
                m_transparent = control.TransparentColor;
            if (DGifGetExtensionNext(m_gif, &block) == GIF_ERROR)
                return false;
        }
        return true;
    }

    std::vector<std::uint8_t> readPicture(const Raster& raster) {
        const GifImageDesc& picture = m_gif->Image;
        const ColorMapObject* colours
            = picture.ColorMap != nullptr ? picture.ColorMap : m_gif->SColorMap;
        if (colours == nullptr)
            refuseDamaged(m_name, ImageFormat::Gif, "it has no colours");
        // White shows where the picture is transparent or does not reach.
        std::vector<std::uint8_t> canvas(
            std::size_t(raster.width) * std::size_t(raster.height) * 3, 255);
        std::vector<GifPixelType> line(std::size_t(picture.Width));
        for (const int row : rowOrder(picture)) {
            if (DGifGetLine(m_gif, line.data(), picture.Width) == GIF_ERROR)
                refuse(m_gif->Error);
            const int y = picture.Top + row;
            const int visible = std::min(picture.Width, raster.width - picture.Left);
            for (int x = 0; y < raster.height && x < visible; ++x) {
                const int index = line[std::size_t(x)];
                if (index == m_transparent || index >= colours->ColorCount)
                    continue;
                const GifColorType& colour = colours->Colors[index];
                const std::array<std::uint8_t, 3> pixel{colour.Red, colour.Green, colour.Blue};
                const std::size_t at
                    = std::size_t(y) * std::size_t(raster.width) + std::size_t(picture.Left + x);
                std::copy(pixel.begin(), pixel.end(), canvas.begin() + std::ptrdiff_t(at * 3));
            }
        }
        return canvas;
    }

    static std::vector<int> rowOrder(const GifImageDesc& picture) {
        struct Pass {
            int first;
            int step;
        };
        static constexpr std::array<Pass, 4> kInterlaced{{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
        static constexpr std::array<Pass, 1> kPlain{{{0, 1}}};
        const auto passes = picture.Interlace ? std::span<const Pass>(kInterlaced)
                                              : std::span<const Pass>(kPlain);
        std::vector<int> rows;
        rows.reserve(std::size_t(picture.Height));
        for (const Pass& pass : passes)
            for (int row = pass.first; row < picture.Height; row += pass.step)
                rows.push_back(row);
        return rows;
    }

    int countPictures() {
        int count = 0;
        while (findPicture()) {
            int bits = 0;
            GifByteType* block = nullptr;
            if (DGifGetCode(m_gif, &bits, &block) == GIF_ERROR)
                break;
            while (block != nullptr)
                if (DGifGetCodeNext(m_gif, &block) == GIF_ERROR)
                    return count;
            ++count;
        }
        return count;
    }

    [[noreturn]] void refuse(int error) const {
        if (m_ended)
            refuseDamaged(m_name, ImageFormat::Gif, "it ends early");
        const char* text = GifErrorString(error);
        refuseDamaged(m_name, ImageFormat::Gif, text != nullptr ? text : "it holds no picture");
    }

    static int onRead(GifFileType* gif, GifByteType* target, int count) {
        GifReader& reader = *static_cast<GifReader*>(gif->UserData);
        const std::size_t given = std::min(std::size_t(count), reader.m_rest.size());
        reader.m_ended = reader.m_ended || given < std::size_t(count);
        if (given > 0)
            std::memcpy(target, reader.m_rest.data(), given);
        reader.m_rest = reader.m_rest.subspan(given);
        return int(given);
    }

    std::string_view m_name;
    std::span<const std::byte> m_rest;
    GifFileType* m_gif = nullptr;
    int m_transparent = -1;
    bool m_ended = false;
};

} // namespace

Raster decodeGif(std::span<const std::byte> bytes, std::string_view name) {
    return GifReader(bytes, name).read();
}

} // namespace maskscope
