// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace maskscope {

/// What a replay is, in words. Text is data.
struct ReplayText {
    QString title; ///< what was asked, and how it was run
    QString origin; ///< on which machine, and when
    QString note; ///< what is different from then; may be empty
};

/// Says above the image that what is seen is a past run, of which machine and when, and lets the
/// person hold it, slow it down, go to any moment of it, play it again or leave it.
class ReplayBar : public QFrame {
    Q_OBJECT
public:
    explicit ReplayBar(QWidget* parent = nullptr);

    /// From the beginning, playing.
    void showReplay(const ReplayText& text, double lengthMs);
    /// How far it has come.
    void setPosition(double tMs);
    /// Of Session::setReplayPace: the one that is chosen, or 0 while the replay is held.
    double pace() const;
    QString label() const; ///< title and origin
    QString note() const;

Q_SIGNALS:
    void paceChanged(double pace);
    void momentChosen(double tMs);
    void againRequested();
    void endRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeText();
    QWidget* makeControls();
    void togglePlaying();
    void setPlaying(bool playing);
    bool isAtEnd() const;
    QString timeText(double tMs) const;
    void updateButton();

    QLabel* m_title;
    QLabel* m_origin;
    QLabel* m_note;
    QPushButton* m_play;
    QSlider* m_slider; // in milliseconds
    QLabel* m_time;
    QComboBox* m_pace;
    double m_lengthMs = 0;
    bool m_playing = true; // as far as the person is concerned, also while the slider is held
};

} // namespace maskscope
