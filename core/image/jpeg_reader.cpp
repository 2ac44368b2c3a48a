// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/image_format.h"
#include "core/image/orientation.h"
#include "core/image/raster.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

// After the standard headers: it uses FILE and size_t without including them.
#include <jpeglib.h>

#include <jerror.h>

namespace maskscope {
namespace {

// A file of a few kilobytes can hold thousands of scans, each of which goes over the whole picture
// (the libjpeg-turbo project advises a limit). Cameras and editors write about ten.
constexpr int kMostScans = 200;

/// libjpeg reports through callbacks and leaves by longjmp: run() catches that, so that nothing
/// with a destructor may be made inside its step.
class JpegReader {
public:
    explicit JpegReader(std::string_view name)
        : m_name(name) {
        m_jpeg.err = jpeg_std_error(&m_errors);
        m_errors.error_exit = &JpegReader::onError;
        m_errors.emit_message = &JpegReader::onMessage;
        m_jpeg.client_data = this;
        run([&] { jpeg_create_decompress(&m_jpeg); });
        m_progress.progress_monitor = &JpegReader::onProgress;
        m_jpeg.progress = &m_progress;
    }
    ~JpegReader() { jpeg_destroy_decompress(&m_jpeg); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    Raster read(std::span<const std::byte> bytes) {
        run([&] {
            jpeg_mem_src(&m_jpeg, reinterpret_cast<const unsigned char*>(bytes.data()),
                static_cast<unsigned long>(bytes.size()));
            jpeg_save_markers(&m_jpeg, JPEG_APP0 + 1, 0xFFFF);
            jpeg_read_header(&m_jpeg, TRUE);
        });
        checkImageSize(m_jpeg.image_width, m_jpeg.image_height, m_name);
        // Each block of 8 x 8 pixels has at least one bit (but for arithmetic coding): a header
        // that promises more is refused before memory is taken for it.
        const std::int64_t mostPixels = std::int64_t(bytes.size()) * 8 * 64;
        if (!m_jpeg.arith_code
            && std::int64_t(m_jpeg.image_width) * m_jpeg.image_height > mostPixels)
            refuseDamaged(m_name, ImageFormat::Jpeg, "it is too short for its size");
        Raster raster;
        raster.width = int(m_jpeg.image_width);
        raster.height = int(m_jpeg.image_height);
        raster.channels = m_jpeg.num_components == 1 ? 1 : 3;
        raster.source.depth = m_jpeg.data_precision;
        raster.source.channels = m_jpeg.num_components;
        raster.source.orientation = orientation();
        raster.samples = m_jpeg.num_components == 4 ? readInks() : readRows();
        refuseIfIncomplete();
        if (m_damaged)
            raster.source.notes.push_back(
                "The JPEG data are damaged; parts of the picture may be wrong.");
        return raster;
    }

private:
    template <class Step>
    void run(Step step) {
        if (setjmp(m_jump) != 0)
            refuseUnread();
        step();
    }

    void start(J_COLOR_SPACE space) {
        run([&] {
            m_jpeg.out_color_space = space;
            jpeg_start_decompress(&m_jpeg);
        });
    }

    std::vector<std::uint8_t> readRows() {
        start(m_jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB);
        const std::size_t stride
            = std::size_t(m_jpeg.output_width) * std::size_t(m_jpeg.output_components);
        std::vector<std::uint8_t> samples(stride * m_jpeg.output_height);
        run([&] {
            while (m_jpeg.output_scanline < m_jpeg.output_height) {
                JSAMPROW row = samples.data() + stride * m_jpeg.output_scanline;
                jpeg_read_scanlines(&m_jpeg, &row, 1);
            }
            jpeg_finish_decompress(&m_jpeg);
        });
        return samples;
    }

    // Adobe's programs store inks inverted (255 = none) and mark that with an APP14 segment.
    std::vector<std::uint8_t> readInks() {
        start(JCS_CMYK);
        std::vector<std::uint8_t> inks(std::size_t(m_jpeg.output_width) * 4);
        std::vector<std::uint8_t> rgb(std::size_t(m_jpeg.output_width) * m_jpeg.output_height * 3);
        const unsigned flip = m_jpeg.saw_Adobe_marker ? 0u : 255u;
        run([&] {
            std::uint8_t* out = rgb.data();
            while (m_jpeg.output_scanline < m_jpeg.output_height) {
                JSAMPROW row = inks.data();
                jpeg_read_scanlines(&m_jpeg, &row, 1);
                for (std::size_t i = 0; i < inks.size(); i += 4)
                    for (std::size_t c = 0; c < 3; ++c)
                        *out++ = static_cast<std::uint8_t>(
                            ((inks[i + c] ^ flip) * (inks[i + 3] ^ flip) + 127) / 255);
            }
            jpeg_finish_decompress(&m_jpeg);
        });
        return rgb;
    }

    int orientation() const {
        for (auto* marker = m_jpeg.marker_list; marker != nullptr; marker = marker->next) {
            const std::span<const std::byte> data(
                reinterpret_cast<const std::byte*>(marker->data), marker->data_length);
            constexpr std::array kExif{std::byte{'E'}, std::byte{'x'}, std::byte{'i'},
                std::byte{'f'}, std::byte{0}, std::byte{0}};
            if (data.size() > kExif.size() && std::equal(kExif.begin(), kExif.end(), data.begin()))
                return orientationOf(data);
        }
        return 1;
    }

    void refuseIfIncomplete() const {
        if (m_firstMissingRow)
            refuseDamaged(m_name, ImageFormat::Jpeg,
                "its data end near row " + std::to_string(*m_firstMissingRow) + " of "
                    + std::to_string(m_jpeg.image_height));
    }

    [[noreturn]] void refuseUnread() {
        if (m_tooManyScans)
            refuseKind(m_name, ImageFormat::Jpeg,
                "it has more than " + std::to_string(kMostScans) + " scans");
        refuseIfIncomplete();
        if (m_endsEarly)
            refuseDamaged(m_name, ImageFormat::Jpeg, "it ends early");
        std::array<char, JMSG_LENGTH_MAX> text{};
        m_errors.format_message(reinterpret_cast<j_common_ptr>(&m_jpeg), text.data());
        switch (m_errors.msg_code) {
        case JERR_BAD_PRECISION:
        case JERR_SOF_UNSUPPORTED:
        case JERR_CONVERSION_NOTIMPL:
        case JERR_COMPONENT_COUNT:
        case JERR_ARITH_NOTIMPL:
            refuseKind(m_name, ImageFormat::Jpeg, text.data());
        default:
            refuseDamaged(m_name, ImageFormat::Jpeg, text.data());
        }
    }

    static JpegReader& self(j_common_ptr jpeg) {
        return *static_cast<JpegReader*>(jpeg->client_data);
    }

    static void onError(j_common_ptr jpeg) { std::longjmp(self(jpeg).m_jump, 1); }

    static void onMessage(j_common_ptr jpeg, int level) {
        if (level >= 0)
            return;
        JpegReader& reader = self(jpeg);
        switch (jpeg->err->msg_code) {
        case JWRN_HIT_MARKER: // the data of a row end before the row does
            if (!reader.m_firstMissingRow)
                reader.m_firstMissingRow = reader.m_jpeg.output_scanline;
            break;
        case JWRN_JPEG_EOF: // only the end marker may be missing, which costs no pixel
            reader.m_endsEarly = true;
            break;
        default:
            reader.m_damaged = true;
        }
    }

    static void onProgress(j_common_ptr jpeg) {
        JpegReader& reader = self(jpeg);
        reader.m_tooManyScans = reader.m_jpeg.input_scan_number > kMostScans;
        if (reader.m_tooManyScans)
            onError(jpeg);
    }

    std::string_view m_name;
    jpeg_decompress_struct m_jpeg{};
    jpeg_error_mgr m_errors{};
    jpeg_progress_mgr m_progress{};
    std::jmp_buf m_jump{};
    std::optional<JDIMENSION> m_firstMissingRow;
    bool m_endsEarly = false;
    bool m_damaged = false;
    bool m_tooManyScans = false;
};

} // namespace

Raster decodeJpeg(std::span<const std::byte> bytes, std::string_view name) {
    return JpegReader(name).read(bytes);
}

} // namespace maskscope
