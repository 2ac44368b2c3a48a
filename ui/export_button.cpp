// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export_button.h"

#include "ui/convert.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <utility>

namespace maskscope {

ExportButton::ExportButton(
    const QString& title, const QString& name, const std::vector<Format>& formats, QWidget* parent)
    : QPushButton(parent)
    , m_title(title)
    , m_name(name) {
    setAutoDefault(false);
    setWrite(nullptr);
    if (formats.size() == 1) {
        setText(formats.front().title);
        connect(this, &QPushButton::clicked, this,
            [this, ending = formats.front().ending] { chooseFile(ending); });
        return;
    }
    setText(tr("E&xport"));
    auto* menu = new QMenu(this);
    for (const Format& format : formats)
        connect(menu->addAction(format.title), &QAction::triggered, this,
            [this, ending = format.ending] { chooseFile(ending); });
    setMenu(menu);
}

void ExportButton::setWrite(Write write) {
    m_write = std::move(write);
    setEnabled(static_cast<bool>(m_write));
    updateTip();
}

void ExportButton::setTip(const QString& tip) {
    m_tip = tip;
    updateTip();
}

void ExportButton::updateTip() {
    setToolTip(m_write ? m_tip : tr("There is nothing to write yet"));
}

void ExportButton::chooseFile(const QString& ending) {
    auto* dialog = new QFileDialog(window(), m_title, m_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(QStringLiteral("%1.%2").arg(m_name, ending));
    connect(dialog, &QFileDialog::fileSelected, this, &ExportButton::writeTo);
    dialog->open();
}

void ExportButton::writeTo(const QString& file) {
    m_folder = QFileInfo(file).path();
    const auto write = [write = m_write, path = toPath(file)]() -> std::optional<Error> {
        try {
            write(path);
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
