// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "ui/mask_model.h"

#include <QStringList>
#include <QTextEdit>
#include <optional>
#include <vector>

namespace maskscope {

/// The streamed answer. Text is inserted as plain text, whatever it looks like; every <|mask|>
/// becomes a chip in its mask's colour. Pointing at a chip makes its mask stand out, clicking
/// selects it; with the keyboard Left and Right go from chip to chip.
class AnswerView : public QTextEdit {
    Q_OBJECT
public:
    /// What is shown, to show it again later.
    struct Content {
        QString question;
        std::vector<TokenProduced> tokens;
        QStringList remarks;
    };

    explicit AnswerView(MaskModel& masks, QWidget* parent = nullptr);

    /// Forgets the last answer and shows what is being asked above the next one.
    void begin(const QString& question);
    void append(const std::vector<TokenProduced>& tokens);
    /// Adds a remark that is not part of the answer.
    void remark(const QString& text);

    const Content& content() const { return m_content; }
    /// In place of what is shown. Without a question it is nothing.
    void setContent(const Content& content);

    /// The answer so far, masks as "<|mask|>".
    QString answer() const { return m_answer; }

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    QMimeData* createMimeDataFromSelection() const override;

private:
    std::optional<int> tokenAt(QPoint viewport) const;
    void selectNeighbour(int step);
    void startBlock(double topMargin);
    void insertText(const QString& text, const QTextCharFormat& format = {});
    QTextCharFormat mutedFormat() const;

    MaskModel& m_masks;
    std::vector<int> m_chips; // token indices, in order
    QString m_answer;
    Content m_content;
};

} // namespace maskscope
