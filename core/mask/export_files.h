// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_export.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace maskscope {

/// A file to be written. The content is made only when it is, one after the other.
struct ExportFile {
    std::string name;
    std::function<std::vector<std::byte>()> content;
};

// One source per format. What they are given must outlive the contents.
std::vector<ExportFile> pngFiles(const MaskedPicture& picture);
std::vector<ExportFile> cocoFiles(const std::vector<MaskedPicture>& pictures);
std::vector<ExportFile> labelMeFiles(
    const MaskedPicture& picture, const std::filesystem::path& folder);
/// Class numbers count over all pictures.
std::vector<ExportFile> yoloFiles(const std::vector<MaskedPicture>& pictures);
std::vector<ExportFile> svgFiles(const MaskedPicture& picture);
std::vector<ExportFile> overlayFiles(const MaskedPicture& picture);

/// Calls visit(mask, n) for every mask that has pixels; n counts all masks from 1.
template <class Visit>
void forEachMask(const MaskedPicture& picture, Visit visit) {
    int n = 0;
    for (const auto& mask : picture.masks)
        if (++n; mask->area > 0)
            visit(*mask, n);
}

/// The words of a mask, or "object".
std::string labelOf(const Mask& mask);

/// The different labels of all masks in order of appearance.
std::vector<std::string> labelsOf(const std::vector<MaskedPicture>& pictures);

std::vector<std::byte> bytesOf(std::string_view text);

} // namespace maskscope
