// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/replay_bar.h"

#include "ui/colours.h"
#include "ui/graph_axis.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope {

namespace {

constexpr int kSteps = 100; ///< of the slider, for a key

struct Pace {
    double pace;
    const char* title;
};

constexpr std::array kPaces{Pace{4, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "4 × faster")},
    Pace{1, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "Its own pace")},
    Pace{0.5, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "2 × slower")},
    Pace{0.2, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "5 × slower")},
    Pace{0.1, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "10 × slower")},
    Pace{0.05, QT_TRANSLATE_NOOP("maskscope::ReplayBar", "20 × slower")}};
constexpr int kOwnPace = 1;

} // namespace

ReplayBar::ReplayBar(QWidget* parent)
    : QFrame(parent)
    , m_title(new QLabel(this))
    , m_origin(new QLabel(this))
    , m_note(new QLabel(this))
    , m_play(new QPushButton(this))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_time(new QLabel(this))
    , m_pace(new QComboBox(this)) {
    setObjectName(QStringLiteral("replayBar"));
    setAccessibleName(tr("Replay"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(4);
    layout->addWidget(makeText());
    layout->addWidget(makeControls());
    connect(m_play, &QPushButton::clicked, this, &ReplayBar::togglePlaying);
    connect(m_slider, &QSlider::valueChanged, this, [this](int ms) {
        Q_EMIT momentChosen(ms);
        updateButton();
    });
    connect(m_slider, &QSlider::sliderPressed, this, [this] { Q_EMIT paceChanged(pace()); });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { Q_EMIT paceChanged(pace()); });
    connect(m_pace, &QComboBox::currentIndexChanged, this, [this] { Q_EMIT paceChanged(pace()); });
    hide();
}

QWidget* ReplayBar::makeText() {
    QFont bold = m_title->font();
    bold.setBold(true);
    m_title->setFont(bold);
    auto* text = new QVBoxLayout;
    text->setSpacing(2);
    for (QLabel* label : {m_title, m_origin, m_note}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        text->addWidget(label);
    }
    auto* end = new QPushButton(tr("End replay"), this);
    end->setObjectName(QStringLiteral("replayEnd"));
    connect(end, &QPushButton::clicked, this, &ReplayBar::endRequested);
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addLayout(text, 1);
    layout->addWidget(end, 0, Qt::AlignTop);
    return row;
}

QWidget* ReplayBar::makeControls() {
    m_play->setObjectName(QStringLiteral("replayPlay"));
    for (const QString& title : {tr("Pause"), tr("Play"), tr("Play again")}) {
        m_play->setText(title); // the widest makes room for all
        m_play->setMinimumWidth(std::max(m_play->minimumWidth(), m_play->sizeHint().width()));
    }
    m_slider->setObjectName(QStringLiteral("replaySlider"));
    m_slider->setAccessibleName(tr("Moment of the replay"));
    m_slider->setToolTip(tr("Goes to another moment of the run"));
    m_time->setObjectName(QStringLiteral("replayTime"));
    m_time->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const Pace& entry : kPaces)
        m_pace->addItem(tr(entry.title), entry.pace);
    m_pace->setCurrentIndex(kOwnPace);
    m_pace->setObjectName(QStringLiteral("replayPace"));
    m_pace->setAccessibleName(tr("Pace of the replay"));
    m_pace->setToolTip(tr("How fast the run is played; all figures stay its own"));
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_play);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_time);
    layout->addWidget(m_pace);
    return row;
}

void ReplayBar::showReplay(const ReplayText& text, double lengthMs) {
    m_title->setText(text.title);
    m_origin->setText(text.origin);
    m_note->setText(text.note);
    m_note->setVisible(!text.note.isEmpty());
    setAccessibleDescription(label());
    m_lengthMs = lengthMs;
    m_time->setMinimumWidth(std::max(fontMetrics().horizontalAdvance(timeText(lengthMs)),
        fontMetrics().horizontalAdvance(timeText(999)))); // the slider keeps its length
    const int length = static_cast<int>(std::ceil(std::min(lengthMs, 1e9)));
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, std::max(1, length));
    m_slider->setSingleStep(std::max(1, length / kSteps));
    m_slider->setPageStep(std::max(1, length / 10));
    setPlaying(true);
    setPosition(0);
    show();
}

void ReplayBar::setPosition(double tMs) {
    if (!m_slider->isSliderDown()) { // what is dragged is ahead of what is told
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(tMs >= m_lengthMs ? m_slider->maximum() : static_cast<int>(tMs));
    }
    m_time->setText(timeText(tMs));
    if (isAtEnd())
        setPlaying(false);
    updateButton();
}

double ReplayBar::pace() const {
    return m_playing && !m_slider->isSliderDown() ? m_pace->currentData().toDouble() : 0;
}

void ReplayBar::togglePlaying() {
    const bool again = isAtEnd();
    setPlaying(again || !m_playing);
    if (again)
        Q_EMIT againRequested();
}

void ReplayBar::setPlaying(bool playing) {
    m_playing = playing;
    updateButton();
    Q_EMIT paceChanged(pace());
}

QString ReplayBar::timeText(double tMs) const {
    return tr("%1 of %2").arg(durationText(tMs), durationText(m_lengthMs));
}

bool ReplayBar::isAtEnd() const {
    return m_slider->value() == m_slider->maximum();
}

void ReplayBar::updateButton() {
    m_play->setText(isAtEnd() ? tr("Play again") : m_playing ? tr("Pause") : tr("Play"));
}

QString ReplayBar::label() const {
    return m_title->text() + u'\n' + m_origin->text();
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
