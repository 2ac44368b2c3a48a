// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_chip.h"

#include "ui/colours.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QTextDocument>

namespace maskscope {

namespace {

constexpr int kToken = QTextFormat::UserProperty + 1;
constexpr int kNumber = QTextFormat::UserProperty + 2;
constexpr double kSidePadding = 7;
constexpr double kGap = 2; // to the text around

} // namespace

MaskChip::MaskChip(const MaskModel& masks, QObject* parent)
    : QObject(parent)
    , m_masks(masks) { }

QTextCharFormat MaskChip::formatFor(int tokenIndex, int number) {
    QTextCharFormat format;
    format.setObjectType(kObjectType);
    format.setProperty(kToken, tokenIndex);
    format.setProperty(kNumber, number);
    format.setVerticalAlignment(QTextCharFormat::AlignMiddle);
    return format;
}

std::optional<int> MaskChip::tokenOf(const QTextFormat& format) {
    if (format.objectType() != kObjectType)
        return {};
    return format.intProperty(kToken);
}

int MaskChip::numberOf(const QTextFormat& format, const MaskModel& masks) {
    const auto row = masks.rowOfToken(format.intProperty(kToken));
    return row ? *row + 1 : format.intProperty(kNumber);
}

QSizeF MaskChip::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
    const QFontMetricsF metrics(document->defaultFont());
    const QString number = QString::number(numberOf(format, m_masks));
    return {metrics.horizontalAdvance(number) + 2 * (kSidePadding + kGap), metrics.height() + 2};
}

void MaskChip::drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int,
    const QTextFormat& format) {
    const std::optional<int> row = m_masks.rowOfToken(format.intProperty(kToken));
    const QPalette palette = QApplication::palette();
    const QFontMetricsF metrics(document->defaultFont());
    // The layout puts the middle at a quarter of the x-height: up, onto the baseline of the words.
    const double up = (metrics.ascent() - metrics.descent()) / 2 - metrics.xHeight() / 4;
    const QRectF pill = rect.adjusted(kGap, 1, -kGap, -1).translated(0, -up);
    const double radius = pill.height() / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(document->defaultFont());
    if (row) {
        const QColor colour = m_masks.row(*row).colour;
        painter->setPen(Qt::NoPen);
        painter->setBrush(colour);
        painter->drawRoundedRect(pill, radius, radius);
        if (m_masks.emphasised() == row) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(palette.color(QPalette::Text), 2));
            painter->drawRoundedRect(pill.adjusted(1, 1, -1, -1), radius, radius);
        }
        painter->setPen(textOn(colour));
    } else {
        const QColor muted = palette.color(QPalette::PlaceholderText);
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(muted, 1, Qt::DashLine));
        painter->drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        painter->setPen(muted);
    }
    painter->drawText(pill, Qt::AlignCenter, QString::number(numberOf(format, m_masks)));
    painter->restore();
}

} // namespace maskscope
