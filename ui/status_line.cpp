// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/status_line.h"

#include "ui/convert.h"
#include "ui/graph_axis.h"

#include <QLabel>
#include <QLocale>
#include <QProgressBar>

namespace maskscope {

namespace {

QString textOf(Stage stage) {
    switch (stage) {
    case Stage::Load:
        return StatusLine::tr("Loading the model…");
    case Stage::Image:
        return StatusLine::tr("Preparing the image…");
    case Stage::Vision:
        return StatusLine::tr("Looking at the image…");
    case Stage::Prefill:
        return StatusLine::tr("Reading the request…");
    case Stage::Decode:
        return StatusLine::tr("Answering…");
    case Stage::Mask:
        break;
    }
    return StatusLine::tr("Drawing masks…");
}

constexpr int kProgressSteps = 1000;

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QStatusBar(parent)
    , m_text(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_figures(new QLabel(this)) {
    setSizeGripEnabled(false);
    m_text->setObjectName(QStringLiteral("statusText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setContentsMargins(8, 0, 8, 0);
    m_progress->setObjectName(QStringLiteral("statusProgress"));
    m_progress->setAccessibleName(tr("Progress of the stage"));
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(120, 10);
    m_progress->hide();
    m_figures->setObjectName(QStringLiteral("statusFigures"));
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setContentsMargins(8, 0, 8, 0);
    addWidget(m_text);
    addWidget(m_progress);
    addPermanentWidget(m_figures);
}

void StatusLine::showReady(const QString& text) {
    m_text->setText(text);
    m_progress->hide();
}

void StatusLine::showPicture(const Picture* picture) {
    showReady(picture ? tr("%1, %2 × %3 pixels")
                            .arg(picture->name)
                            .arg(picture->size().width())
                            .arg(picture->size().height())
                      : tr("Ready"));
}

void StatusLine::begin(const Request& request) {
    m_sinceStart.start();
    m_tokens = 0;
    m_begun = false;
    m_text->setText(tr("Waiting for the model…"));
    m_progress->setRange(0, 0);
    m_progress->show();
    m_figures->setText(tr("attention %1").arg(toQString(nameOf(request.settings.attention))));
    m_figures->setToolTip({});
}

void StatusLine::beginStage(Stage stage) {
    m_begun = true;
    // Masks come and go inside the answer; their text would only flicker.
    if (stage == Stage::Mask && m_tokens > 0)
        return;
    m_text->setText(textOf(stage));
    m_progress->setRange(0, 0);
    m_progress->show();
}

void StatusLine::progress(Stage stage, double fraction) {
    if (stage == Stage::Mask && m_tokens > 0)
        return;
    m_progress->setRange(0, kProgressSteps);
    m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
}

void StatusLine::addTokens(const std::vector<TokenProduced>& tokens) {
    const auto now = static_cast<double>(m_sinceStart.elapsed());
    if (m_tokens == 0) {
        m_firstTokenMs = now;
        m_firstTokens = static_cast<int>(tokens.size());
    }
    m_tokens += static_cast<int>(tokens.size());
    QString text = tr("Answering… %1 tokens").arg(m_tokens);
    const double seconds = (now - m_firstTokenMs) / 1000;
    if (seconds > 0.2)
        text += QStringLiteral(" · ")
            + tr("%1 tokens/s").arg((m_tokens - m_firstTokens) / seconds, 0, 'f', 1);
    m_text->setText(text);
}

void StatusLine::setState(Session::State state) {
    if (state == Session::State::Stopping)
        m_text->setText(tr("Stopping…"));
    else if (state == Session::State::Idle)
        m_progress->hide();
}

void StatusLine::finish(const Report& report, double tMs) {
    const QString time = durationText(tMs);
    const auto masks = report.masks.size();
    const QString found = masks == 1 ? tr("1 mask") : tr("%1 masks").arg(masks);
    m_text->setText(report.outcome == Outcome::Cancelled
            ? tr("Stopped after %1: %2 kept").arg(time, found)
            : tr("Done in %1: %2").arg(time, found));
    const bool hasTokens = !report.tokens.empty() && report.outcome == Outcome::Finished;
    showFigures(report.attention, toQString(report.device),
        hasTokens ? std::optional(report.tokensPerSecond) : std::nullopt,
        hasTokens ? std::optional(report.timeToFirstTokenMs) : std::nullopt);
}

void StatusLine::fail(const Error& error) {
    m_text->setText(error.kind != ErrorKind::Memory ? tr("The run failed")
            : m_begun                               ? tr("Out of memory")
                                                    : tr("Refused: it would not fit"));
}

void StatusLine::showFigures(const AttentionReport& attention, const QString& device,
    std::optional<double> tokensPerSecond, std::optional<double> firstTokenMs) {
    QStringList parts{device};
    parts += attention.reason.empty()
        ? tr("attention %1").arg(toQString(nameOf(attention.used)))
        : tr("attention %1 instead of %2")
              .arg(toQString(nameOf(attention.used)), toQString(nameOf(attention.requested)));
    if (tokensPerSecond)
        parts += tr("%1 tokens/s").arg(QLocale().toString(*tokensPerSecond, 'f', 1));
    if (firstTokenMs)
        parts += tr("first token %1").arg(durationText(*firstTokenMs));
    m_figures->setText(parts.join(QStringLiteral("  ·  ")));
    m_figures->setToolTip(
        attention.reason.empty() ? QString() : toolTipText(toQString(attention.reason)));
}

QString StatusLine::text() const {
    return m_text->text();
}

QString StatusLine::figures() const {
    return m_figures->text();
}

} // namespace maskscope
