// SPDX-License-Identifier: GPL-3.0-or-later
// export_sample FOLDER: masks in every format, for tests/golden/check_exports.py.
#include "core/base/atomic_file.h"
#include "core/image/png_writer.h"
#include "core/mask/mask_export.h"
#include "tests/core/mask/sample_masks.h"

#include <filesystem>
#include <random>
#include <string>

namespace {

using namespace maskscope;

MaskedPicture pictureOf(const std::string& stem, int width, int height, std::mt19937& random) {
    MaskedPicture picture;
    Image image{width, height, {}, {}};
    image.rgb.assign(std::size_t(width) * std::size_t(height) * 3, 90);
    picture.image = std::make_shared<const Image>(std::move(image));
    picture.path = stem + ".jpg";
    picture.stem = stem;
    for (const char* label : {"cat", "", "<dog> & \"Katze\" 猫"}) {
        Mask mask = test::randomMask(random, width, height);
        mask.label = label;
        picture.masks.push_back(std::make_shared<const Mask>(std::move(mask)));
    }
    return picture;
}

void writePlain(const std::filesystem::path& folder, const MaskedPicture& picture) {
    int n = 0;
    for (const auto& mask : picture.masks) {
        std::vector<std::uint8_t> pixels = mask->bits;
        for (std::uint8_t& pixel : pixels)
            pixel = static_cast<std::uint8_t>(pixel * 255);
        AtomicFile file(folder / ("plain_" + picture.stem + "_" + std::to_string(++n) + ".png"));
        file.write(encodeGrayPng(mask->width, mask->height, pixels));
        file.commit();
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2)
        return 2;
    std::mt19937 random(4);
    const std::vector<MaskedPicture> pictures{
        pictureOf("wide", 61, 37, random), pictureOf("tall", 23, 50, random)};
    for (const MaskedPicture& picture : pictures)
        writePlain(argv[1], picture);
    exportMasks(pictures, {argv[1], {kExportFormats.begin(), kExportFormats.end()}});
    return 0;
}
