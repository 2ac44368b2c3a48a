// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/export_files.h"
#include "core/mask/rle.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace maskscope {
namespace {

using Json = nlohmann::ordered_json;

Json annotationOf(const Mask& mask, int id, int image, int category) {
    return {{"id", id}, {"image_id", image}, {"category_id", category},
        {"segmentation",
            {{"size", {mask.height, mask.width}}, {"counts", compressedCounts(encodeRle(mask))}}},
        {"area", mask.area}, {"bbox", mask.bbox}, {"iscrowd", 0}, {"score", mask.score}};
}

// Ids count from 1 in the order given, over all pictures.
Json cocoOf(const std::vector<MaskedPicture>& pictures) {
    const std::vector<std::string> labels = labelsOf(pictures);
    Json images = Json::array();
    Json annotations = Json::array();
    for (const MaskedPicture& picture : pictures) {
        const int image = int(images.size()) + 1;
        const std::string name = picture.path.filename().string();
        images.push_back({{"id", image}, {"file_name", name.empty() ? picture.stem + ".png" : name},
            {"width", picture.image->width}, {"height", picture.image->height}});
        forEachMask(picture, [&](const Mask& mask, int) {
            const auto place = std::find(labels.begin(), labels.end(), labelOf(mask));
            annotations.push_back(annotationOf(
                mask, int(annotations.size()) + 1, image, int(place - labels.begin()) + 1));
        });
    }
    Json categories = Json::array();
    for (const std::string& label : labels)
        categories.push_back(
            {{"id", int(categories.size()) + 1}, {"name", label}, {"supercategory", ""}});
    return {{"images", std::move(images)}, {"annotations", std::move(annotations)},
        {"categories", std::move(categories)}};
}

} // namespace

std::vector<ExportFile> cocoFiles(const std::vector<MaskedPicture>& pictures) {
    const std::string stem = pictures.size() == 1 ? pictures.front().stem : "masks";
    return {{stem + "_coco.json", [&pictures] {
                 return bytesOf(
                     cocoOf(pictures).dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
             }}};
}

} // namespace maskscope
