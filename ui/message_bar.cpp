// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/message_bar.h"

#include "ui/colours.h"
#include "ui/icons.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace maskscope {

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent)
    , m_icon(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_steps(new QVBoxLayout)
    , m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("messageBar"));
    setAccessibleName(tr("Message"));
    m_sentence->setObjectName(QStringLiteral("messageText"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_steps->setSpacing(4);
    m_close->setObjectName(QStringLiteral("messageClose"));
    m_close->setIcon(icon(QStringLiteral("close")));
    m_close->setIconSize({12, 12});
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss the message"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 7, 8, 7);
    layout->setSpacing(10);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    layout->addWidget(m_sentence, 1, Qt::AlignVCenter);
    layout->addLayout(m_steps);
    layout->addWidget(m_close, 0, Qt::AlignVCenter);

    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    hide();
}

void MessageBar::showMessage(Kind kind, const QString& sentence, const std::vector<Step>& steps) {
    m_kind = kind;
    updateIcon();
    m_sentence->setText(sentence);
    clearSteps();
    for (const Step& step : steps)
        if (!step.title.isEmpty())
            addStep(step);
    setAccessibleDescription(sentence);
    show();
    update();
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBar::addStep(const Step& step) {
    auto* button = new QPushButton(step.title, this);
    button->setObjectName(QStringLiteral("messageStep"));
    m_steps->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, take = step.take] {
        dismiss();
        take();
    });
    setTabOrder(button, m_close);
}

void MessageBar::clearSteps() {
    while (QLayoutItem* item = m_steps->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the one whose click brought us here
        item->widget()->setObjectName({});
        delete item;
    }
}

void MessageBar::updateIcon() {
    const QString name = m_kind == Kind::Error ? QStringLiteral("warning") : QStringLiteral("info");
    m_icon->setPixmap(icon(name).pixmap(QSize(18, 18), devicePixelRatioF()));
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
}

void MessageBar::dismiss() {
    hide();
    m_sentence->clear();
    clearSteps();
}

void MessageBar::dismissNote() {
    if (m_kind == Kind::Note)
        dismiss();
}

QString MessageBar::text() const {
    return m_sentence->text();
}

QColor MessageBar::accent() const {
    return m_kind == Kind::Error ? negativeColour() : palette().color(QPalette::Highlight);
}

void MessageBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QColor tint = accent();
    painter.fillRect(rect(), palette().color(QPalette::Window));
    tint.setAlphaF(isDark(palette()) ? 0.22F : 0.12F);
    painter.fillRect(rect(), tint);
    painter.fillRect(QRect(0, 0, 4, height()), accent());
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

} // namespace maskscope
