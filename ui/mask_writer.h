// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/mask/mask_export.h"
#include "ui/background.h"
#include "ui/image_work.h"
#include "ui/picture.h"

#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace maskscope {

/// core's exportMasks: handed in, because the window knows no codecs.
using MaskExport = std::function<std::vector<std::filesystem::path>(
    const std::vector<MaskedPicture>& pictures, const ExportPlan& plan)>;

/// The mask that an object is written as, in the size of its image. Work for a background thread;
/// the row has its runs.
Mask writtenMask(const MaskModel::Row& row);

/// What was written.
struct WrittenObjects {
    std::shared_ptr<const Picture> picture;
    ImageWork work; ///< as it was then
    std::vector<std::filesystem::path> files;
};

/// Writes the objects of an image into files, in the background, one order after the other.
class MaskWriter : public QObject {
    Q_OBJECT
public:
    explicit MaskWriter(MaskExport exportMasks, QObject* parent = nullptr);

    /// There are orders of which neither written() nor failed() has told.
    bool isBusy() const { return m_orders > 0; }
    /// All masks have their runs. written() or failed() follows.
    void write(const std::shared_ptr<const Picture>& picture, const ImageWork& work,
        const ExportPlan& plan);

Q_SIGNALS:
    void written(const maskscope::WrittenObjects& objects);
    void failed(const maskscope::Error& error);

private:
    MaskExport m_export;
    int m_orders = 0;
    Background m_background;
};

} // namespace maskscope
