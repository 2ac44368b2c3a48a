// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "ui/picture.h"
#include "ui/session.h"

#include <QElapsedTimer>
#include <QStatusBar>
#include <optional>

class QLabel;
class QProgressBar;

namespace maskscope {

/// What is going on, on the left; and on the right what the run was done with: device, attention
/// path actually used, tokens per second, time to the first token.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// What stands there while nothing else is to be told.
    void showReady(const QString& text);
    /// The name and size of what was opened; null where nothing is.
    void showPicture(const Picture* picture);
    void begin(const Request& request);
    void beginStage(Stage stage);
    void progress(Stage stage, double fraction);
    void addTokens(const std::vector<TokenProduced>& tokens);
    void setState(Session::State state);
    void finish(const Report& report, double tMs);
    void fail(const Error& error);

    QString text() const;
    QString figures() const;

private:
    void showFigures(const AttentionReport& attention, const QString& device,
        std::optional<double> tokensPerSecond, std::optional<double> firstTokenMs);

    QLabel* m_text;
    QProgressBar* m_progress;
    QLabel* m_figures;
    QElapsedTimer m_sinceStart;
    int m_tokens = 0;
    bool m_begun = false; // a stage of the run
    int m_firstTokens = 0; // that came together
    double m_firstTokenMs = 0;
};

} // namespace maskscope
