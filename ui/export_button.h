// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/background.h"

#include <QPushButton>
#include <filesystem>
#include <functional>
#include <vector>

namespace maskscope {

/// Writes what is shown into a file that a dialog asks for, in the background: a menu of formats,
/// or one format without a menu.
class ExportButton : public QPushButton {
    Q_OBJECT
public:
    struct Format {
        QString ending; ///< "csv"
        QString title; ///< in the menu
    };
    /// On any thread; by the ending of the name. Throws Failure.
    using Write = std::function<void(const std::filesystem::path& file)>;

    /// `title` is that of the dialog, `name` the file's that it begins with.
    ExportButton(const QString& title, const QString& name, const std::vector<Format>& formats,
        QWidget* parent = nullptr);

    /// Says what is written; while nothing is, the tool tip says so.
    void setTip(const QString& tip);
    /// What is written; nothing can be while it is empty.
    void setWrite(Write write);
    /// written() or failed() follows.
    void writeTo(const QString& file);

Q_SIGNALS:
    void written(const QString& file);
    void failed(const maskscope::Error& error);

private:
    void chooseFile(const QString& ending);
    void updateTip();

    QString m_title;
    QString m_tip;
    QString m_name;
    QString m_folder; // where the last one was written
    Write m_write;
    Background m_background;
};

} // namespace maskscope
