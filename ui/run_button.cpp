// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_button.h"

#include "ui/icons.h"

#include <QEvent>
#include <utility>

namespace maskscope {

RunButton::RunButton(QString runTip, QString stopTip, QWidget* parent)
    : QPushButton(parent)
    , m_title(tr("Run"))
    , m_runTip(std::move(runTip))
    , m_stopTip(std::move(stopTip)) {
    setMinimumSize(104, 34);
    connect(this, &QPushButton::clicked, this, [this] {
        if (m_state == Session::State::Idle)
            Q_EMIT runRequested();
        else
            Q_EMIT stopRequested();
    });
    emphasise();
    setState(Session::State::Idle);
}

void RunButton::emphasise() {
    QPalette colours = parentWidget() != nullptr ? parentWidget()->palette() : palette();
    const QColor plain = colours.color(QPalette::Button);
    // Fusion brightens a button's colour, on which white could not be read.
    colours.setColor(
        QPalette::Button, colours.color(QPalette::Active, QPalette::Highlight).darker(130));
    for (const auto group : {QPalette::Active, QPalette::Inactive})
        colours.setColor(group, QPalette::ButtonText, colours.color(QPalette::HighlightedText));
    colours.setColor(QPalette::Disabled, QPalette::Button, plain);
    setPalette(colours);
}

void RunButton::changeEvent(QEvent* event) {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::PaletteChange)
        emphasise();
}

void RunButton::setState(Session::State state) {
    m_state = state;
    const bool idle = state == Session::State::Idle;
    const bool stopping = state == Session::State::Stopping;
    setText(idle ? m_title : stopping ? tr("Stopping…") : tr("Stop"));
    setIcon(maskscope::icon(
        idle ? QStringLiteral("run") : QStringLiteral("stop"), QPalette::HighlightedText));
    setToolTip(idle ? m_runTip : m_stopTip);
    setEnabled(idle ? m_ready : !stopping);
}

void RunButton::setTitle(const QString& title) {
    m_title = title;
    setState(m_state);
}

void RunButton::setReady(bool ready) {
    m_ready = ready;
    setState(m_state);
}

} // namespace maskscope
