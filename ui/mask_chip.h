// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/mask_model.h"

#include <QObject>
#include <QTextCharFormat>
#include <QTextObjectInterface>
#include <optional>

namespace maskscope {

/// Draws the <|mask|> tokens of an answer as chips: the mask's number on its colour, with a ring
/// when the mask stands out, and only an outline as long as the mask has not arrived.
class MaskChip : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    static constexpr int kObjectType = QTextFormat::UserObject + 1;

    MaskChip(const MaskModel& masks, QObject* parent);

    /// The format of the one character that stands for token `tokenIndex`, the answer's mask number
    /// `number` (from 1).
    static QTextCharFormat formatFor(int tokenIndex, int number);
    /// The token a character stands for, if it is a chip.
    static std::optional<int> tokenOf(const QTextFormat& format);
    /// The number of its mask in the list, or before that has arrived, in the answer.
    static int numberOf(const QTextFormat& format, const MaskModel& masks);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
        const QTextFormat& format) override;

private:
    const MaskModel& m_masks;
};

} // namespace maskscope
