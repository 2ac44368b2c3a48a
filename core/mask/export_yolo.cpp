// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "core/mask/export_files.h"
#include "core/mask/yolo_polygon.h"

#include <algorithm>

namespace maskscope {
namespace {

std::string rowsOf(const MaskedPicture& picture, const std::vector<std::string>& labels) {
    std::string rows;
    forEachMask(picture, [&](const Mask& mask, int) {
        const auto place = std::find(labels.begin(), labels.end(), labelOf(mask));
        for (const Polygon& polygon : polygonsOf(mask))
            if (const auto row
                = yoloRow(int(place - labels.begin()), polygon, mask.width, mask.height))
                rows += *row + "\n";
    });
    return rows;
}

std::string namesOf(const std::vector<std::string>& labels) {
    std::string names;
    for (const std::string& label : labels)
        names += printable(label) + "\n";
    return names;
}

} // namespace

std::vector<ExportFile> yoloFiles(const std::vector<MaskedPicture>& pictures) {
    std::vector<ExportFile> files;
    const std::vector<std::string> labels = labelsOf(pictures);
    for (const MaskedPicture& picture : pictures) {
        files.push_back({picture.stem + ".txt",
            [&picture, labels] { return bytesOf(rowsOf(picture, labels)); }});
        files.push_back(
            {picture.stem + "_classes.txt", [labels] { return bytesOf(namesOf(labels)); }});
    }
    return files;
}

} // namespace maskscope
