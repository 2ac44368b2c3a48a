// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_export.h"

#include <QDialog>
#include <vector>

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace maskscope {

/// Asks in which formats and where the objects of an image are written.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `objects` is their number; the folder and the formats are what it begins with.
    ExportDialog(int objects, const QString& folder, const std::vector<ExportFormat>& formats,
        QWidget* parent);

    ExportPlan plan() const;

private:
    void chooseFolder();
    void allowExport();

    std::vector<QCheckBox*> m_formats; // in the order of kExportFormats
    QLineEdit* m_folder;
    QCheckBox* m_replace;
    QPushButton* m_export;
};

} // namespace maskscope
