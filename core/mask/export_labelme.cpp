// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"
#include "core/image/png_writer.h"
#include "core/mask/export_files.h"

#include <nlohmann/json.hpp>
#include <system_error>

// The file as labelme 7 writes it (wkentaro/labelme, labelme/_label_file.py), key by key.
namespace maskscope {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string cropPng(const Mask& mask) {
    const auto [left, top, width, height] = mask.bbox;
    std::vector<std::uint8_t> pixels;
    pixels.reserve(std::size_t(width) * std::size_t(height));
    for (int y = top; y < top + height; ++y)
        for (int x = left; x < left + width; ++x)
            pixels.push_back(
                mask.bits[std::size_t(y) * std::size_t(mask.width) + std::size_t(x)] != 0 ? 255
                                                                                          : 0);
    return base64(encodeGrayPng(width, height, pixels));
}

// The two corners are pixels that both belong to the crop.
Json shapeOf(const Mask& mask) {
    const auto [left, top, width, height] = mask.bbox;
    const Json corners{
        {double(left), double(top)}, {double(left + width - 1), double(top + height - 1)}};
    return {{"label", labelOf(mask)}, {"points", corners}, {"group_id", nullptr},
        {"description", ""}, {"shape_type", "mask"}, {"flags", Json::object()},
        {"mask", cropPng(mask)}};
}

// Relative to the folder of the JSON file, with forward slashes on every system.
std::string imagePathOf(const MaskedPicture& picture, const fs::path& folder) {
    if (picture.path.empty())
        return picture.stem + ".png";
    std::error_code error;
    const fs::path relative = fs::proximate(picture.path, folder, error);
    return (error ? picture.path : relative).generic_string();
}

Json labelMeOf(const MaskedPicture& picture, const fs::path& folder) {
    Json shapes = Json::array();
    forEachMask(picture, [&](const Mask& mask, int) { shapes.push_back(shapeOf(mask)); });
    Json data = nullptr;
    if (picture.path.empty())
        data
            = base64(encodeRgbPng(picture.image->width, picture.image->height, picture.image->rgb));
    return {{"version", "7.1.0"}, {"flags", Json::object()}, {"shapes", std::move(shapes)},
        {"imagePath", imagePathOf(picture, folder)}, {"imageData", std::move(data)},
        {"imageHeight", picture.image->height}, {"imageWidth", picture.image->width}};
}

} // namespace

std::vector<ExportFile> labelMeFiles(const MaskedPicture& picture, const fs::path& folder) {
    return {{picture.stem + ".json", [&picture, folder] {
                 return bytesOf(
                     labelMeOf(picture, folder).dump(2, ' ', false, Json::error_handler_t::replace)
                     + "\n");
             }}};
}

} // namespace maskscope
