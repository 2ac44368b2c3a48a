// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QStringList>

namespace maskscope {

/// The words' line with its history: Up goes back to older requests, Down forward to what was being
/// typed. Pasting an image while it has the focus asks for the image to be opened.
class RequestEdit : public QLineEdit {
    Q_OBJECT
public:
    explicit RequestEdit(QWidget* parent = nullptr);

    /// Oldest first.
    void setHistory(const QStringList& history);
    /// What was typed has been asked: undo means the image's steps from now on.
    void forgetTyping();

Q_SIGNALS:
    void imagePasted();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showHistory(qsizetype position);

    QStringList m_history;
    qsizetype m_position = 0; // m_history.size() is the draft
    QString m_draft;
};

} // namespace maskscope
