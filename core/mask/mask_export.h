// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/atomic_file.h"
#include "core/image/image.h"
#include "core/mask/mask.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What is written for a picture with the stem "photo"; n counts its masks from 1.
enum class ExportFormat {
    Png, ///< photo_<n>.png, 0 and 255, and photo_index.png, where a pixel is the n of its mask (the
         ///< later one where masks overlap, 0 outside; 8 bits with a palette, 16 from 256 masks on)
    Coco, ///< photo_coco.json, or masks_coco.json for several pictures: compressed RLE
    LabelMe, ///< photo.json: shapes of the type "mask"
    Yolo, ///< photo.txt: a row per part, holes joined by a bridge; photo_classes.txt: names by line
    Svg, ///< photo.svg: exact paths along pixel edges, holes by the even-odd rule
    Overlay, ///< photo_overlay.png: the picture with coloured masks and their outlines
};

inline constexpr std::array kExportFormats{ExportFormat::Png, ExportFormat::Coco,
    ExportFormat::LabelMe, ExportFormat::Yolo, ExportFormat::Svg, ExportFormat::Overlay};

std::string_view nameOf(
    ExportFormat format); ///< "png", "coco", "labelme", "yolo", "svg", "overlay"
std::optional<ExportFormat> exportFormatFrom(std::string_view name);

/// A picture with the masks found in it.
struct MaskedPicture {
    std::shared_ptr<const Image> image;
    std::filesystem::path path; ///< its file; empty for one that has none (LabelMe then embeds it)
    std::string stem; ///< outputs are named after it
    std::vector<std::shared_ptr<const Mask>>
        masks; ///< of the image's size; empty ones are left out
};

struct ExportPlan {
    std::filesystem::path folder; ///< made if it is missing
    std::vector<ExportFormat> formats;
    Existing existing = Existing::Keep; ///< Keep: any output that exists already is an error
    std::string replacing = "replace it"; ///< how a person does that; ends that error's sentence
    /// Called after each file: those written before a failure stay.
    std::function<void(const std::filesystem::path&)> onWritten = {};
};

/// Writes every format for every picture, each file whole or not at all, and gives the paths
/// written. Names and sizes are checked before the first is written; an input picture is never
/// overwritten. Labels are data: they get into files, never into names. Throws Failure(Input) that
/// names the path and the reason.
std::vector<std::filesystem::path> exportMasks(
    const std::vector<MaskedPicture>& pictures, const ExportPlan& plan);

/// Throws what exportMasks would, as far as it is known before there are masks, and writes nothing
/// but the folder: call it with pictures without masks before a long computation.
void checkExport(const std::vector<MaskedPicture>& pictures, const ExportPlan& plan);

} // namespace maskscope
