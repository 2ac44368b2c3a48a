// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/background.h"
#include "ui/lab_tools.h"

#include <QToolButton>

namespace maskscope {

/// Writes the sweep as a drawing or a table into a file that a dialog asks for.
class SweepExport : public QToolButton {
    Q_OBJECT
public:
    explicit SweepExport(const LabTools& tools, QWidget* parent = nullptr);

    /// What is written; nothing can be while it has no points.
    void setRecord(const SweepRecord& record);
    /// In the background; written() or failed() follows.
    void writeTo(const QString& file);

Q_SIGNALS:
    void written(const QString& file);
    void failed(const maskscope::Error& error);

private:
    void chooseFile(const QString& ending);

    const LabTools& m_tools;
    SweepRecord m_record;
    QString m_folder;
    Background m_background;
};

} // namespace maskscope
