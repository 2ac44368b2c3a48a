// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/orientation.h"
#include "core/image/raster.h"

#include <memory>
#include <vector>
#include <webp/decode.h>
#include <webp/demux.h>

namespace maskscope {
namespace {

using Demuxer = std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)>;

WebPData dataOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

/// The first frame; WebP counts from 1.
class FirstFrame {
public:
    explicit FirstFrame(const Demuxer& demuxer)
        : m_found(WebPDemuxGetFrame(demuxer.get(), 1, &m_frame) != 0) { }
    ~FirstFrame() { WebPDemuxReleaseIterator(&m_frame); }
    FirstFrame(const FirstFrame&) = delete;
    FirstFrame& operator=(const FirstFrame&) = delete;

    bool complete() const { return m_found && m_frame.complete; }
    bool hasAlpha() const { return m_frame.has_alpha != 0; }
    bool covers(int width, int height) const {
        return m_frame.x_offset == 0 && m_frame.y_offset == 0 && m_frame.width == width
            && m_frame.height == height;
    }
    bool liesWithin(int width, int height) const {
        return m_frame.x_offset >= 0 && m_frame.y_offset >= 0
            && m_frame.width <= width - m_frame.x_offset
            && m_frame.height <= height - m_frame.y_offset;
    }

    bool decodeInto(std::vector<std::uint8_t>& canvas, const Raster& raster) const {
        const auto decode = raster.channels == 4 ? &WebPDecodeRGBAInto : &WebPDecodeRGBInto;
        const std::size_t pixel = std::size_t(raster.channels);
        const std::size_t stride = pixel * std::size_t(raster.width);
        const std::size_t begin
            = std::size_t(m_frame.y_offset) * stride + std::size_t(m_frame.x_offset) * pixel;
        return decode(m_frame.fragment.bytes, m_frame.fragment.size, canvas.data() + begin,
                   canvas.size() - begin, int(stride))
            != nullptr;
    }

private:
    WebPIterator m_frame{};
    bool m_found;
};

int storedOrientation(const Demuxer& demuxer) {
    WebPChunkIterator chunk{};
    const bool found = WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &chunk) != 0;
    const int orientation = found
        ? orientationOf(
            std::span(reinterpret_cast<const std::byte*>(chunk.chunk.bytes), chunk.chunk.size))
        : 1;
    WebPDemuxReleaseChunkIterator(&chunk);
    return orientation;
}

} // namespace

Raster decodeWebp(std::span<const std::byte> bytes, std::string_view name) {
    const WebPData data = dataOf(bytes);
    WebPDemuxState state = WEBP_DEMUX_DONE;
    const Demuxer demuxer(WebPDemuxPartial(&data, &state), &WebPDemuxDelete);
    if (demuxer == nullptr || state < WEBP_DEMUX_PARSED_HEADER)
        refuseDamaged(name, ImageFormat::Webp,
            state == WEBP_DEMUX_PARSE_ERROR ? "its structure is broken"
                                            : "it ends inside its header");
    const std::int64_t width = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH);
    const std::int64_t height = WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT);
    checkImageSize(width, height, name);

    Raster raster;
    raster.width = int(width);
    raster.height = int(height);
    const FirstFrame frame(demuxer);
    if (!frame.complete() || !frame.liesWithin(raster.width, raster.height))
        refuseDamaged(name, ImageFormat::Webp, "it ends early");
    raster.channels = frame.hasAlpha() || !frame.covers(raster.width, raster.height) ? 4 : 3;
    raster.source.channels = frame.hasAlpha() ? 4 : 3;
    raster.source.frames = int(WebPDemuxGetI(demuxer.get(), WEBP_FF_FRAME_COUNT));
    raster.source.orientation = storedOrientation(demuxer);
    if (raster.source.frames > 1)
        raster.source.notes.push_back(onlyFirstIsRead(raster.source.frames, "frames"));
    if (state != WEBP_DEMUX_DONE)
        raster.source.notes.push_back("The WebP is cut off behind its first frame.");

    std::vector<std::uint8_t> samples(
        std::size_t(width) * std::size_t(height) * std::size_t(raster.channels));
    if (!frame.decodeInto(samples, raster))
        refuseDamaged(name, ImageFormat::Webp, "its pixels cannot be decoded");
    raster.samples = std::move(samples);
    return raster;
}

} // namespace maskscope
