// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/mask_export.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/mask/export_files.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <system_error>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& sentence) {
    throw Failure(ErrorKind::Input, sentence);
}

void checkPictures(const std::vector<MaskedPicture>& pictures) {
    for (const MaskedPicture& picture : pictures) {
        if (picture.stem.empty() || fs::path(picture.stem).filename() != picture.stem)
            refuse(printable(picture.stem) + " cannot be part of a file's name.");
        for (const auto& mask : picture.masks)
            if (mask->width != picture.image->width || mask->height != picture.image->height)
                refuse("A mask of " + std::to_string(mask->width) + " x "
                    + std::to_string(mask->height) + " pixels does not belong to "
                    + printable(picture.stem) + ", which has "
                    + std::to_string(picture.image->width) + " x "
                    + std::to_string(picture.image->height) + ".");
    }
}

std::vector<ExportFile> filesOf(
    ExportFormat format, const MaskedPicture& picture, const fs::path& folder) {
    switch (format) {
    case ExportFormat::Png:
        return pngFiles(picture);
    case ExportFormat::LabelMe:
        return labelMeFiles(picture, folder);
    case ExportFormat::Svg:
        return svgFiles(picture);
    default:
        return overlayFiles(picture);
    }
}

std::vector<ExportFile> filesOf(
    ExportFormat format, const std::vector<MaskedPicture>& pictures, const fs::path& folder) {
    if (format == ExportFormat::Coco)
        return cocoFiles(pictures);
    if (format == ExportFormat::Yolo)
        return yoloFiles(pictures);
    std::vector<ExportFile> files;
    for (const MaskedPicture& picture : pictures) {
        std::vector<ExportFile> more = filesOf(format, picture, folder);
        std::move(more.begin(), more.end(), std::back_inserter(files));
    }
    return files;
}

void makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        refuse(
            "Cannot make the folder " + printable(folder.string()) + ": " + error.message() + ".");
}

void checkTargets(const std::vector<fs::path>& targets, const std::vector<MaskedPicture>& pictures,
    const ExportPlan& plan) {
    std::set<fs::path> seen;
    for (const fs::path& target : targets) {
        const std::string name = printable(target.string());
        if (!seen.insert(target).second)
            refuse("Two pictures of the same name would both be written to " + name
                + ": export them to different folders.");
        std::error_code error;
        if (!fs::exists(fs::symlink_status(target, error)))
            continue;
        if (plan.existing == Existing::Keep)
            refuse(name + " exists already: choose another folder or " + plan.replacing + ".");
        for (const MaskedPicture& picture : pictures)
            if (!picture.path.empty() && fs::equivalent(target, picture.path, error))
                refuse(name + " is one of the pictures: choose another folder.");
    }
}

std::vector<ExportFile> checkedFiles(
    const std::vector<MaskedPicture>& pictures, const ExportPlan& plan) {
    checkPictures(pictures);
    std::vector<ExportFile> files;
    for (const ExportFormat format : plan.formats)
        for (ExportFile& file : filesOf(format, pictures, plan.folder))
            files.push_back(std::move(file));
    std::vector<fs::path> targets;
    targets.reserve(files.size());
    for (const ExportFile& file : files)
        targets.push_back(plan.folder / file.name);
    checkTargets(targets, pictures, plan);
    makeFolder(plan.folder);
    return files;
}

} // namespace

std::string_view nameOf(ExportFormat format) {
    switch (format) {
    case ExportFormat::Png:
        return "png";
    case ExportFormat::Coco:
        return "coco";
    case ExportFormat::LabelMe:
        return "labelme";
    case ExportFormat::Yolo:
        return "yolo";
    case ExportFormat::Svg:
        return "svg";
    case ExportFormat::Overlay:
        break;
    }
    return "overlay";
}

std::optional<ExportFormat> exportFormatFrom(std::string_view name) {
    for (const ExportFormat format : kExportFormats)
        if (nameOf(format) == name)
            return format;
    return {};
}

std::vector<fs::path> exportMasks(
    const std::vector<MaskedPicture>& pictures, const ExportPlan& plan) {
    std::vector<fs::path> written;
    for (const ExportFile& file : checkedFiles(pictures, plan)) {
        const fs::path path = plan.folder / file.name;
        AtomicFile target(path);
        target.write(file.content());
        target.commit(plan.existing);
        if (plan.onWritten)
            plan.onWritten(path);
        written.push_back(path);
    }
    return written;
}

void checkExport(const std::vector<MaskedPicture>& pictures, const ExportPlan& plan) {
    for (const ExportFile& file : checkedFiles(pictures, plan))
        const AtomicFile probe(plan.folder / file.name);
}

std::string labelOf(const Mask& mask) {
    return mask.label.empty() ? "object" : mask.label;
}

std::vector<std::string> labelsOf(const std::vector<MaskedPicture>& pictures) {
    std::vector<std::string> labels;
    for (const MaskedPicture& picture : pictures)
        forEachMask(picture, [&](const Mask& mask, int) {
            const std::string label = labelOf(mask);
            if (std::find(labels.begin(), labels.end(), label) == labels.end())
                labels.push_back(label);
        });
    return labels;
}

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

} // namespace maskscope
