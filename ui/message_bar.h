// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>
#include <functional>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace maskscope {

/// A sentence above the image, with next steps where there are some. It never takes the focus and
/// blocks nothing. Text is data: markup in it is shown as it is.
class MessageBar : public QFrame {
    Q_OBJECT
public:
    enum class Kind { Note, Error };
    /// A way on from what the sentence says.
    struct Step {
        QString title; ///< of its button
        std::function<void()> take;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Steps without a title are left out. Taking one dismisses the message.
    void showMessage(Kind kind, const QString& sentence, const std::vector<Step>& steps = {});
    void dismiss();
    /// Of what it was shown on; an error stays.
    void dismissNote();
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QColor accent() const;
    void addStep(const Step& step);
    void clearSteps();
    void updateIcon();

    Kind m_kind = Kind::Note;
    QLabel* m_icon;
    QLabel* m_sentence;
    QVBoxLayout* m_steps;
    QToolButton* m_close;
};

} // namespace maskscope
