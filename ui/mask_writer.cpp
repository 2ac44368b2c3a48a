// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_writer.h"

#include "ui/convert.h"

#include <QFileInfo>
#include <exception>
#include <utility>

namespace maskscope {

namespace {

MaskedPicture maskedPicture(const Picture& picture, const std::vector<MaskModel::Row>& rows) {
    MaskedPicture masked;
    masked.image = picture.image;
    masked.path = toPath(picture.path);
    masked.stem = picture.path.isEmpty() ? "image"
                                         : toStdString(QFileInfo(picture.path).completeBaseName());
    for (const MaskModel::Row& row : rows)
        masked.masks.push_back(std::make_shared<const Mask>(writtenMask(row)));
    return masked;
}

} // namespace

Mask writtenMask(const MaskModel::Row& row) {
    Mask mask = maskOf(*row.runs, row.mask->width, row.mask->height);
    mask.label = row.name.isEmpty() ? row.mask->label : toStdString(row.name);
    mask.score = row.mask->score;
    mask.tokenIndex = row.mask->tokenIndex;
    return mask;
}

MaskWriter::MaskWriter(MaskExport exportMasks, QObject* parent)
    : QObject(parent)
    , m_export(std::move(exportMasks)) { }

void MaskWriter::write(
    const std::shared_ptr<const Picture>& picture, const ImageWork& work, const ExportPlan& plan) {
    using Written = Result<WrittenObjects>;
    const auto write = [picture, work, plan, exportMasks = m_export]() -> Written {
        ExportPlan counting = plan;
        int files = 0;
        counting.onWritten = [&files](const std::filesystem::path&) { ++files; };
        try {
            return WrittenObjects{
                picture, work, exportMasks({maskedPicture(*picture, work.masks)}, counting)};
        } catch (...) {
            Error error = errorOf(std::current_exception());
            if (files > 0)
                error.sentence += toStdString(files == 1
                        ? tr(" One file had been written before and is kept.")
                        : tr(" %1 files had been written before and are kept.").arg(files));
            return error;
        }
    };
    ++m_orders;
    m_background.run(write, [this](const Written& result) {
        --m_orders;
        if (result)
            Q_EMIT written(result.value());
        else
            Q_EMIT failed(result.error());
    });
}

} // namespace maskscope
