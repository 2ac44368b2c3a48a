// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep_export.h"

#include "ui/convert.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <array>

namespace maskscope {

namespace {

struct Format {
    const char* ending;
    const char* title;
};

constexpr std::array kFormats{
    Format{"png", QT_TRANSLATE_NOOP("maskscope::SweepExport", "Plot as &PNG…")},
    Format{"svg", QT_TRANSLATE_NOOP("maskscope::SweepExport", "Plot as &SVG…")},
    Format{"csv", QT_TRANSLATE_NOOP("maskscope::SweepExport", "Points as &CSV…")},
    Format{"json", QT_TRANSLATE_NOOP("maskscope::SweepExport", "Points and fits as &JSON…")},
};

} // namespace

SweepExport::SweepExport(const LabTools& tools, QWidget* parent)
    : QToolButton(parent)
    , m_tools(tools) {
    setObjectName(QStringLiteral("exportButton"));
    setText(tr("E&xport"));
    setToolTip(tr("Write the sweep into a file: the same that the command line writes"));
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setPopupMode(InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setEnabled(false);
    auto* menu = new QMenu(this);
    for (const Format& format : kFormats) {
        const QString ending = QString::fromLatin1(format.ending);
        connect(menu->addAction(tr(format.title)), &QAction::triggered, this,
            [this, ending] { chooseFile(ending); });
    }
    setMenu(menu);
}

void SweepExport::setRecord(const SweepRecord& record) {
    m_record = record;
    setEnabled(m_tools.write && !record.points.empty());
}

void SweepExport::chooseFile(const QString& ending) {
    auto* dialog = new QFileDialog(window(), tr("Export the sweep"), m_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(QStringLiteral("sweep.") + ending);
    connect(dialog, &QFileDialog::fileSelected, this, &SweepExport::writeTo);
    dialog->open();
}

void SweepExport::writeTo(const QString& file) {
    m_folder = QFileInfo(file).path();
    const auto write = [record = m_record, path = toPath(file),
                           write = m_tools.write]() -> std::optional<Error> {
        try {
            write(record, path);
            return std::nullopt;
        } catch (...) {
            return errorOf(std::current_exception());
        }
    };
    m_background.run(write, [this, file](const std::optional<Error>& error) {
        if (error)
            Q_EMIT failed(*error);
        else
            Q_EMIT written(file);
    });
}

} // namespace maskscope
