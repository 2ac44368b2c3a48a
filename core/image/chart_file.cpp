// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/chart_file.h"

#include "core/base/error.h"
#include "core/image/png_writer.h"

namespace maskscope {

void checkChartFile(const std::filesystem::path& path, Existing existing) {
    if (path.extension() != ".svg" && path.extension() != ".png")
        throw Failure(ErrorKind::Usage,
            "A plot cannot be \"" + path.string() + "\": give a file that ends in .svg or .png.");
    checkCanWrite(path, existing);
}

void writeChart(const Chart& chart, const std::filesystem::path& path, Existing existing) {
    AtomicFile file(path);
    if (path.extension() == ".svg") {
        file.write(svgOf(chart));
    } else {
        const Image image = imageOf(chart);
        file.write(encodeRgbPng(image.width, image.height, image.rgb));
    }
    file.commit(existing);
}

} // namespace maskscope
