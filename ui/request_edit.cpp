// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/request_edit.h"

#include "ui/clipboard.h"

#include <QKeyEvent>
#include <algorithm>

namespace maskscope {

RequestEdit::RequestEdit(QWidget* parent)
    : QLineEdit(parent) {
    // Endless input is cut where no model could read it.
    setMaxLength(4000);
}

void RequestEdit::setHistory(const QStringList& history) {
    m_history = history;
    m_position = m_history.size();
}

void RequestEdit::forgetTyping() {
    setText(QString(text())); // begins its undo anew
}

bool RequestEdit::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        // The line takes these even when it has nothing to take back; then they are the window's.
        if ((key.matches(QKeySequence::Undo) && !isUndoAvailable())
            || (key.matches(QKeySequence::Redo) && !isRedoAvailable())) {
            event->ignore();
            return false;
        }
    }
    return QLineEdit::event(event);
}

void RequestEdit::showHistory(qsizetype position) {
    if (m_position == m_history.size())
        m_draft = text();
    m_position = std::clamp<qsizetype>(position, 0, m_history.size());
    setText(m_position == m_history.size() ? m_draft : m_history.at(m_position));
}

void RequestEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Up)
        showHistory(m_position - 1);
    else if (event->key() == Qt::Key_Down)
        showHistory(m_position + 1);
    else if (event->matches(QKeySequence::Paste) && clipboardHoldsImage())
        Q_EMIT imagePasted();
    else
        QLineEdit::keyPressEvent(event);
}

} // namespace maskscope
