// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace maskscope {

/// A sentence above the image, with a next step where there is one. It never takes the focus and
/// blocks nothing. Text is data: markup in it is shown as it is.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Note, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& sentence);
    /// `step` is the button's text, `take` what it does.
    void showMessage(
        Kind kind, const QString& sentence, const QString& step, std::function<void()> take);
    void dismiss();
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QColor accent() const;
    void updateIcon();

    Kind m_kind = Kind::Note;
    QLabel* m_icon;
    QLabel* m_sentence;
    QPushButton* m_step;
    QToolButton* m_close;
    std::function<void()> m_take;
};

} // namespace maskscope
