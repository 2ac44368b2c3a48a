// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay_bar.h"

#include "ui/colours.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope {

ReplayBar::ReplayBar(QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_note(new QLabel(this)) {
    setObjectName(QStringLiteral("replayBar"));
    setAccessibleName(tr("Replay"));
    QFont bold = m_label->font();
    bold.setBold(true);
    m_label->setFont(bold);
    for (QLabel* label : {m_label, m_note}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* again = new QPushButton(tr("Play again"), this);
    auto* end = new QPushButton(tr("End replay"), this);
    again->setObjectName(QStringLiteral("replayAgain"));
    end->setObjectName(QStringLiteral("replayEnd"));

    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    text->addWidget(m_label);
    text->addWidget(m_note);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(10);
    layout->addLayout(text, 1);
    layout->addWidget(again, 0, Qt::AlignVCenter);
    layout->addWidget(end, 0, Qt::AlignVCenter);
    connect(again, &QPushButton::clicked, this, &ReplayBar::againRequested);
    connect(end, &QPushButton::clicked, this, &ReplayBar::endRequested);
    hide();
}

void ReplayBar::showReplay(const QString& label, const QString& note) {
    m_label->setText(label);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    setAccessibleDescription(label);
    show();
}

QString ReplayBar::label() const {
    return m_label->text();
}

QString ReplayBar::note() const {
    return m_note->text();
}

void ReplayBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor tint = palette().color(QPalette::Highlight);
    painter.fillRect(rect(), palette().color(QPalette::Window));
    tint.setAlphaF(isDark(palette()) ? 0.35F : 0.22F);
    painter.fillRect(rect(), tint);
}

} // namespace maskscope
