// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/read_out.h"

#include "ui/graph_axis.h"

#include "ui/colours.h"
#include "ui/convert.h"

#include <QCoreApplication>
#include <QPainter>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(ReadOut)
};

constexpr int kSwatch = 10;
constexpr int kPadding = 10;
constexpr int kTop = 6; ///< above the title
constexpr int kScrollBar = 16; ///< room for it, which may come and go
constexpr int kRule = 6; ///< around the rule between categories and totals

} // namespace

QString titleOf(MemoryCategory category) {
    switch (category) {
    case MemoryCategory::Weights:
        return Text::tr("Weights");
    case MemoryCategory::KvCache:
        return Text::tr("KV cache");
    case MemoryCategory::Vision:
        return Text::tr("Vision");
    case MemoryCategory::Language:
        return Text::tr("Language");
    case MemoryCategory::MaskDecoder:
        return Text::tr("Mask decoder");
    case MemoryCategory::RingStaging:
        return Text::tr("Ring staging");
    case MemoryCategory::Other:
        break;
    }
    return Text::tr("Other");
}

QString titleOf(Stage stage) {
    switch (stage) {
    case Stage::Load:
        return Text::tr("load");
    case Stage::Image:
        return Text::tr("image");
    case Stage::Vision:
        return Text::tr("vision");
    case Stage::Prefill:
        return Text::tr("prefill");
    case Stage::Decode:
        return Text::tr("decode");
    case Stage::Mask:
        break;
    }
    return Text::tr("mask");
}

ReadOut readOut(const MemorySeries& series, const StageTrack& stages, std::optional<double> tMs,
    Weights weights) {
    ReadOut result;
    const double at = tMs.value_or(series.lastMs());
    result.title = tMs ? Text::tr("At %1").arg(durationText(at)) : Text::tr("Now");
    if (const auto stage = tMs ? stages.at(at) : std::nullopt)
        result.title += QStringLiteral(" · ") + titleOf(*stage);
    const MemorySample* sample = series.at(at);
    const auto figure = [&](std::int64_t bytes) {
        return sample != nullptr ? sizeText(bytes) : sizeText(std::optional<std::int64_t>());
    };
    const auto used = series.used();
    // From the top of the stack downwards, as the eye finds them in the graph.
    for (std::size_t i = kMemoryCategories; i-- > 0;) {
        const auto category = static_cast<MemoryCategory>(i);
        if (!used.at(i))
            continue;
        const bool hidden = category == MemoryCategory::Weights && weights == Weights::Hidden;
        result.lines.push_back(
            {titleOf(category), figure(sample != nullptr ? sample->byCategory.at(i) : 0),
                hidden ? ReadOut::Mark::HiddenArea : ReadOut::Mark::Area, colourOf(category)});
    }
    result.lines.push_back({Text::tr("Tensors"), figure(sample != nullptr ? sample->live : 0)});
    result.lines.push_back(
        {Text::tr("Process"), sizeText(series.processAt(at)), ReadOut::Mark::Line, {}});
    if (sample != nullptr && sample->reserved)
        result.lines.push_back({Text::tr("Reserved"), sizeText(sample->reserved)});
    if (sample != nullptr && sample->deviceTotal)
        result.lines.push_back({Text::tr("Device"),
            Text::tr("%1 of %2").arg(sizeText(sample->deviceUsed), sizeText(sample->deviceTotal))});
    return result;
}

ReadOutView::ReadOutView(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("memoryReadOut"));
    setAccessibleName(tr("Memory figures"));
    setFocusPolicy(Qt::TabFocus);
}

void ReadOutView::show(const ReadOut& readOut) {
    const bool otherHeight = readOut.lines.size() != m_readOut.lines.size();
    m_readOut = readOut;
    QString spoken = readOut.title;
    for (const ReadOut::Line& line : readOut.lines)
        spoken += QStringLiteral("\n%1: %2").arg(line.name, line.value);
    setAccessibleDescription(spoken);
    if (otherHeight)
        updateGeometry();
    update();
}

int ReadOutView::lineHeight() const {
    return fontMetrics().height() + 2;
}

QSize ReadOutView::sizeHint() const {
    return {minimumSizeHint().width() + kScrollBar, lineHeight() * 11};
}

QSize ReadOutView::minimumSizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("Mask decoder 000.0 MiB")) + 2 * kPadding
            + kSwatch + 8,
        contentHeight()};
}

int ReadOutView::contentHeight() const {
    return 2 * kTop + kRule + lineHeight() * (1 + static_cast<int>(m_readOut.lines.size()));
}

void ReadOutView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    const QColor text = palette().color(QPalette::WindowText);
    const QColor muted = palette().color(QPalette::PlaceholderText);
    QRect line(kPadding, kTop, width() - 2 * kPadding, lineHeight());
    painter.setPen(muted);
    painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, m_readOut.title);
    line.translate(0, lineHeight() + 2);
    bool wasCategory = false;
    for (const ReadOut::Line& entry : m_readOut.lines) {
        const bool isCategory
            = entry.mark == ReadOut::Mark::Area || entry.mark == ReadOut::Mark::HiddenArea;
        if (wasCategory && !isCategory) {
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawLine(line.left(), line.top() + 1, line.right(), line.top() + 1);
            line.translate(0, 4);
        }
        wasCategory = isCategory;
        if (isCategory) {
            const QRect swatch(line.left(), line.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
            if (entry.mark == ReadOut::Mark::Area)
                painter.fillRect(swatch, entry.colour);
            painter.setPen(entry.colour);
            painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        } else if (entry.mark == ReadOut::Mark::Line) {
            painter.setPen(QPen(processColour(palette()), 1.5, Qt::DashLine));
            painter.drawLine(
                line.left(), line.center().y() + 1, line.left() + kSwatch, line.center().y() + 1);
        }
        painter.setPen(text);
        painter.drawText(
            line.adjusted(kSwatch + 8, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, entry.name);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, entry.value);
        line.translate(0, lineHeight());
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace maskscope
