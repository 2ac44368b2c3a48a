// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_delegate.h"

#include "ui/image_model.h"

#include <QIcon>
#include <QImage>
#include <QPainter>
#include <QStyle>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kMargin = 6;

void paintPreview(
    QPainter& painter, const QRect& frame, const QVariant& decoration, const QPalette& palette) {
    painter.fillRect(frame, palette.color(QPalette::AlternateBase));
    const auto image = decoration.value<QImage>();
    if (decoration.typeId() == QMetaType::QIcon) {
        constexpr QSize kIcon(20, 20);
        QRect middle({}, kIcon);
        middle.moveCenter(frame.center());
        decoration.value<QIcon>().paint(&painter, middle);
    } else if (!image.isNull()) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        QRect place({}, image.size().scaled(frame.size(), Qt::KeepAspectRatio));
        place.moveCenter(frame.center());
        painter.drawImage(place, image);
    }
}

} // namespace

void ImageDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QWidget* view = option.widget;
    view->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, view);
    painter->save();
    const QRect inside = option.rect.adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const QRect frame(inside.topLeft(), Thumbnails::kSize);
    paintPreview(*painter, frame, index.data(Qt::DecorationRole), option.palette);

    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QFontMetrics& metrics = option.fontMetrics;
    const QString state = index.data(ImageModel::kStateTextRole).toString();
    QRect lines = inside.adjusted(frame.width() + kMargin + 2, 0, 0, 0);
    const auto draw = [&](const QString& text, Qt::Alignment alignment, QPalette::ColorRole role) {
        painter->setPen(option.palette.color(selected ? QPalette::HighlightedText : role));
        painter->drawText(lines, static_cast<int>(alignment) | Qt::TextSingleLine,
            metrics.elidedText(text, Qt::ElideMiddle, lines.width()));
    };
    const int gap = (lines.height() - 2 * metrics.height()) / 3;
    if (state.isEmpty()) {
        draw(index.data().toString(), Qt::AlignVCenter, QPalette::Text);
    } else {
        lines.adjust(0, gap, 0, -gap);
        draw(index.data().toString(), Qt::AlignTop, QPalette::Text);
        draw(state, Qt::AlignBottom, QPalette::PlaceholderText);
    }
    painter->restore();
}

QSize ImageDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    const int height = std::max(Thumbnails::kSize.height(), 2 * option.fontMetrics.height());
    return {Thumbnails::kSize.width() + 2 * kMargin + 60, height + 2 * kMargin};
}

} // namespace maskscope
