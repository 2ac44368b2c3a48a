// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QLabel;
class QPushButton;

namespace maskscope {

/// Says above the image that what is seen is a past run, of which machine and when, and lets the
/// person play it again or leave it.
class ReplayBar : public QFrame {
    Q_OBJECT
public:
    explicit ReplayBar(QWidget* parent = nullptr);

    /// `note` is what is different from then; may be empty. Text is data.
    void showReplay(const QString& label, const QString& note);
    QString label() const;
    QString note() const;

Q_SIGNALS:
    void againRequested();
    void endRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_label;
    QLabel* m_note;
};

} // namespace maskscope
