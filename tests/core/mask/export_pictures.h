// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"
#include "core/mask/mask_export.h"
#include "tests/core/mask/sample_masks.h"
#include "tests/temporary_folder.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::test {

inline MaskedPicture pictureOf(std::vector<Mask> masks, const std::string& stem = "photo") {
    MaskedPicture picture;
    Image image{masks.front().width, masks.front().height, {}, {}};
    for (int i = 0; i < image.width * image.height * 3; ++i)
        image.rgb.push_back(static_cast<std::uint8_t>(i * 7));
    picture.image = std::make_shared<const Image>(std::move(image));
    picture.path = stem + ".jpg";
    picture.stem = stem;
    for (Mask& mask : masks)
        picture.masks.push_back(std::make_shared<const Mask>(std::move(mask)));
    return picture;
}

inline Mask labelled(Mask mask, std::string label, float score = 0.5F) {
    mask.label = std::move(label);
    mask.score = score;
    return mask;
}

/// Two objects of which one has a hole and two parts, and an empty mask between them.
inline MaskedPicture samplePicture() {
    Mask empty = maskOf({"......", "......", "......", "......"});
    return pictureOf({labelled(maskOf({"###...", "#.#...", "###..#", ".....#"}), "the cat", 0.75F),
        labelled(empty, "nothing"), maskOf({"......", ".....#", "....##", "......"})});
}

inline std::vector<std::string> namesIn(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

inline std::vector<std::uint8_t> redOf(const Image& image) {
    std::vector<std::uint8_t> red;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3)
        red.push_back(image.rgb[i]);
    return red;
}

inline nlohmann::ordered_json jsonIn(const std::filesystem::path& path) {
    return nlohmann::ordered_json::parse(contentOf(path));
}

} // namespace maskscope::test
