// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_side.h"

#include "ui/run_button.h"

#include <QLabel>
#include <QProgressBar>
#include <QScrollArea>
#include <QVBoxLayout>

namespace maskscope {

namespace {

constexpr int kProgressSteps = 1000;
constexpr int kScrollBar = 20; ///< pixels that it takes at most

QLabel* sideLabel(const QString& name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

RunSide::RunSide(QWidget* form, const QString& name, const Texts& texts, QWidget* parent)
    : QWidget(parent)
    , m_form(form)
    , m_question(sideLabel(name + QStringLiteral("Question"), this))
    , m_run(new RunButton(texts.runTip, texts.stopTip, this))
    , m_progress(new QProgressBar(this))
    , m_text(sideLabel(name + QStringLiteral("Text"), this)) {
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("formScroll"));
    scroll->setAccessibleName(texts.form);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(form);
    scroll->setMinimumWidth(form->minimumSizeHint().width() + kScrollBar);
    m_question->hide();
    m_run->setObjectName(name + QStringLiteral("Button"));
    m_progress->setAccessibleName(texts.progress);
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->hide();
    auto* start = new QVBoxLayout;
    start->setContentsMargins(12, 0, 12, 0);
    for (QWidget* part : std::initializer_list<QWidget*>{m_question, m_run, m_progress, m_text})
        start->addWidget(part);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 8);
    layout->setSpacing(6);
    layout->addWidget(scroll, 1);
    layout->addLayout(start);
    connect(m_run, &RunButton::runRequested, this, &RunSide::runRequested);
    connect(m_run, &RunButton::stopRequested, this, &RunSide::stopRequested);
}

void RunSide::setState(Session::State state) {
    const bool idle = state == Session::State::Idle;
    m_run->setState(state);
    m_form->setEnabled(idle);
    m_progress->setVisible(!idle);
}

void RunSide::setReady(bool ready) {
    m_run->setReady(ready);
}

void RunSide::setQuestion(const QString& text) {
    m_question->setText(text);
    m_question->setVisible(!text.isEmpty());
}

void RunSide::setProgress(double fraction) {
    m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
}

void RunSide::setText(const QString& text) {
    m_text->setText(text);
}

void RunSide::focusButton() {
    m_run->setFocus(Qt::OtherFocusReason);
}

} // namespace maskscope
