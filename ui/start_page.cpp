// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start_page.h"

#include "ui/convert.h"
#include "ui/icons.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace maskscope {

namespace {

constexpr QSize kThumbnail(168, 112);
constexpr int kCardPadding = 6;
constexpr int kCardSpacing = 12;
constexpr int kMargin = 28;
constexpr int kColumns = 4;
constexpr int kCards = 8;
constexpr int kRecent = 5;

void removeAll(QLayout& layout) {
    while (QLayoutItem* item = layout.takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the one whose click brought us here
        delete item;
    }
}

// Fills the card, cut where the proportions differ.
QImage thumbnailOf(const Image& image) {
    constexpr int kSharpness = 2; // for screens with two physical pixels per logical one
    const QImage full = toQImage(image);
    const QImage scaled = full.scaled(
        kThumbnail * kSharpness, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    QRect middle(QPoint(0, 0), kThumbnail * kSharpness);
    middle.moveCenter(scaled.rect().center());
    return scaled.copy(middle);
}

} // namespace

ExampleCard::ExampleCard(const Example& example, QWidget* parent)
    : QAbstractButton(parent) {
    setText(example.request);
    setAccessibleName(tr("Example: %1").arg(example.request));
    setToolTip(
        toolTipText(tr("%1: “%2”").arg(QFileInfo(example.image).fileName(), example.request)));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void ExampleCard::setThumbnail(const QImage& thumbnail) {
    m_thumbnail = thumbnail;
    update();
}

QSize ExampleCard::sizeHint() const {
    return kThumbnail
        + QSize(2 * kCardPadding, 2 * kCardPadding + 4 + 2 * fontMetrics().lineSpacing());
}

void ExampleCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool stands = underMouse() || hasFocus();
    painter.setPen(
        QPen(palette().color(stands ? QPalette::Highlight : QPalette::Mid), stands ? 2 : 1));
    painter.setBrush(palette().color(isDown() ? QPalette::Button : QPalette::Base));
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 7, 7);

    const QRectF frame(QPointF(kCardPadding, kCardPadding), QSizeF(kThumbnail));
    QPainterPath rounded;
    rounded.addRoundedRect(frame, 4, 4);
    painter.save();
    painter.setClipPath(rounded);
    painter.fillRect(frame, palette().color(QPalette::AlternateBase));
    painter.drawImage(frame, m_thumbnail);
    painter.restore();

    const QRectF caption(
        frame.left() + 2, frame.bottom() + 4, frame.width() - 4, 2 * fontMetrics().lineSpacing());
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(caption, Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextWordWrap, text());
}

bool ExampleCard::event(QEvent* event) {
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave)
        update();
    return QAbstractButton::event(event);
}

StartPage::StartPage(ImageReader reader, QWidget* parent)
    : QWidget(parent)
    , m_reader(std::move(reader))
    , m_examplesHeading(makeHeading(tr("Try an example")))
    , m_cardGrid(new QGridLayout)
    , m_recentHeading(makeHeading(tr("Recent images")))
    , m_recent(new QVBoxLayout) {
    setObjectName(QStringLiteral("startPage"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);

    auto* content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    auto* title = new QLabel(tr("Find things in pictures by words, clicks and boxes"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    title->setFont(large);
    auto* hint = new QLabel(tr("Drop images or a folder here, or paste one with Ctrl+V."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto* open = new QPushButton(icon(QStringLiteral("open")), tr("Open images…"));
    open->setObjectName(QStringLiteral("startOpen"));
    auto* folder = new QPushButton(tr("Open a folder…"));
    folder->setObjectName(QStringLiteral("startFolder"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {open, folder}) {
        button->setMinimumSize(button->sizeHint().width() + 16, 34);
        buttons->addWidget(button);
    }
    m_cardGrid->setSpacing(kCardSpacing);
    m_recent->setSpacing(2);

    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(kMargin, 24, kMargin, 24);
    column->setSpacing(10);
    column->addStretch(1);
    column->addWidget(title, 0, Qt::AlignHCenter);
    column->addWidget(hint, 0, Qt::AlignHCenter);
    column->addSpacing(4);
    column->addLayout(buttons);
    column->setAlignment(buttons, Qt::AlignHCenter);
    column->addSpacing(14);
    column->addWidget(m_examplesHeading, 0, Qt::AlignHCenter);
    column->addLayout(m_cardGrid);
    column->setAlignment(m_cardGrid, Qt::AlignHCenter);
    column->addSpacing(8);
    column->addWidget(m_recentHeading, 0, Qt::AlignHCenter);
    column->addLayout(m_recent);
    column->setAlignment(m_recent, Qt::AlignHCenter);
    column->addStretch(2);

    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(folder, &QPushButton::clicked, this, &StartPage::folderRequested);
    setExamples({});
    setRecentFiles({});
}

QLabel* StartPage::makeHeading(const QString& text) {
    auto* heading = new QLabel(text, this);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    return heading;
}

void StartPage::setExamples(const std::vector<Example>& examples) {
    m_background.dropWaiting();
    removeAll(*m_cardGrid);
    m_cards.clear();
    m_examplesHeading->setVisible(!examples.empty());
    for (int i = 0; i < std::min(kCards, static_cast<int>(examples.size())); ++i) {
        const Example& example = examples[static_cast<std::size_t>(i)];
        auto* card = new ExampleCard(example, this);
        m_cards.push_back(card);
        connect(card, &QAbstractButton::clicked, this,
            [this, example] { Q_EMIT exampleChosen(example); });
        const auto read = [reader = m_reader, path = toPath(example.image)]() -> QImage {
            try {
                return thumbnailOf(reader(path));
            } catch (const std::exception&) {
                return {}; // opening the example tells what is wrong with it
            }
        };
        m_background.run(read, [card = QPointer(card)](const QImage& thumbnail) {
            if (card)
                card->setThumbnail(thumbnail);
        });
    }
    arrangeCards();
}

void StartPage::arrangeCards() {
    if (m_cards.empty())
        return;
    const int card = m_cards.front()->sizeHint().width() + kCardSpacing;
    const int columns = std::clamp((width() - 2 * kMargin) / card, 1, kColumns);
    for (int i = 0; i < static_cast<int>(m_cards.size()); ++i)
        m_cardGrid->addWidget(m_cards[static_cast<std::size_t>(i)], i / columns, i % columns);
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrangeCards();
}

void StartPage::setRecentFiles(const QStringList& files) {
    removeAll(*m_recent);
    m_recentHeading->setVisible(!files.isEmpty());
    for (const QString& path : files.mid(0, kRecent)) {
        auto* link
            = new QPushButton(QFileInfo(path).fileName().replace(u'&', QStringLiteral("&&")), this);
        link->setFlat(true);
        link->setCursor(Qt::PointingHandCursor);
        link->setToolTip(toolTipText(path));
        m_recent->addWidget(link, 0, Qt::AlignHCenter);
        connect(link, &QPushButton::clicked, this, [this, path] { Q_EMIT recentChosen(path); });
    }
}

} // namespace maskscope
