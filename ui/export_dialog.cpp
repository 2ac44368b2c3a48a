// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export_dialog.h"

#include "ui/convert.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace maskscope {

namespace {

QString titleOf(ExportFormat format) {
    switch (format) {
    case ExportFormat::Png:
        return ExportDialog::tr("&PNG: one picture a mask, and one with all their numbers");
    case ExportFormat::Coco:
        return ExportDialog::tr("&COCO: exact masks as compressed runs, in one JSON file");
    case ExportFormat::LabelMe:
        return ExportDialog::tr("&LabelMe: exact masks, a JSON file beside the image");
    case ExportFormat::Yolo:
        return ExportDialog::tr("&YOLO: a line of points a part, and the names of classes");
    case ExportFormat::Svg:
        return ExportDialog::tr("&SVG: exact outlines, to be drawn on");
    case ExportFormat::Overlay:
        break;
    }
    return ExportDialog::tr("&Overlay: the image with its masks in colour, as PNG");
}

} // namespace

ExportDialog::ExportDialog(
    int objects, const QString& folder, const std::vector<ExportFormat>& formats, QWidget* parent)
    : QDialog(parent)
    , m_folder(new QLineEdit(QDir::toNativeSeparators(folder), this))
    , m_replace(new QCheckBox(tr("&Replace files that exist"), this)) {
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(objects == 1 ? tr("Export one object") : tr("Export %1 objects").arg(objects));
    auto* group = new QGroupBox(tr("Formats"), this);
    auto* list = new QVBoxLayout(group);
    for (const ExportFormat format : kExportFormats) {
        auto* box = new QCheckBox(titleOf(format), group);
        box->setObjectName(QStringLiteral("format%1").arg(static_cast<int>(format)));
        box->setChecked(std::ranges::find(formats, format) != formats.end());
        connect(box, &QCheckBox::toggled, this, &ExportDialog::allowExport);
        list->addWidget(box);
        m_formats.push_back(box);
    }
    auto* label = new QLabel(tr("&Folder:"), this);
    label->setBuddy(m_folder);
    m_folder->setObjectName(QStringLiteral("exportFolder"));
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::allowExport);
    auto* browse = new QPushButton(tr("&Browse…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    auto* place = new QHBoxLayout;
    place->addWidget(label);
    place->addWidget(m_folder, 1);
    place->addWidget(browse);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_export = buttons->addButton(tr("&Export"), QDialogButtonBox::AcceptRole);
    m_export->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_replace->setToolTip(tr("Otherwise nothing is written if one of the files is there already"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(group);
    layout->addLayout(place);
    layout->addWidget(m_replace);
    layout->addWidget(buttons);
    m_folder->setMinimumWidth(fontMetrics().averageCharWidth() * 40);
    allowExport();
}

ExportPlan ExportDialog::plan() const {
    ExportPlan plan;
    plan.folder = toPath(QDir::fromNativeSeparators(m_folder->text().trimmed()));
    for (std::size_t i = 0; i < m_formats.size(); ++i)
        if (m_formats[i]->isChecked())
            plan.formats.push_back(kExportFormats.at(i));
    plan.existing = m_replace->isChecked() ? Existing::Replace : Existing::Keep;
    plan.replacing = toStdString(tr("let files that exist be replaced"));
    return plan;
}

void ExportDialog::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder for the masks"), m_folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
        [this](const QString& folder) { m_folder->setText(QDir::toNativeSeparators(folder)); });
    dialog->open();
}

void ExportDialog::allowExport() {
    const bool anyFormat
        = std::ranges::any_of(m_formats, [](const QCheckBox* box) { return box->isChecked(); });
    m_export->setEnabled(anyFormat && !m_folder->text().trimmed().isEmpty());
}

} // namespace maskscope
