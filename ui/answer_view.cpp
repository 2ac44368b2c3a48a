// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answer_view.h"

#include "ui/convert.h"
#include "ui/mask_chip.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocumentFragment>
#include <algorithm>

namespace maskscope {

namespace {

// Keeps the end in sight while text is added, unless somebody has scrolled back to read.
class EndFollower {
public:
    explicit EndFollower(QScrollBar& bar)
        : m_bar(bar)
        , m_wasAtEnd(bar.value() == bar.maximum()) { }
    ~EndFollower() {
        if (m_wasAtEnd)
            m_bar.setValue(m_bar.maximum());
    }
    EndFollower(const EndFollower&) = delete;
    EndFollower& operator=(const EndFollower&) = delete;

private:
    QScrollBar& m_bar;
    bool m_wasAtEnd;
};

} // namespace

AnswerView::AnswerView(MaskModel& masks, QWidget* parent)
    : QTextEdit(parent)
    , m_masks(masks) {
    setObjectName(QStringLiteral("answerView"));
    setAccessibleName(tr("Answer"));
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setAcceptRichText(false);
    setTabChangesFocus(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setPlaceholderText(tr("The answer appears here, word by word. Each number in it is a mask."));
    viewport()->setMouseTracking(true);
    document()->setDocumentMargin(8);
    document()->documentLayout()->registerHandler(MaskChip::kObjectType, new MaskChip(masks, this));
    connect(&m_masks, &MaskModel::appearanceChanged, viewport(), qOverload<>(&QWidget::update));
    // Numbers of masks, and with them the widths of chips, follow the list.
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_masks, changed, this,
            [this] { document()->markContentsDirty(0, document()->characterCount()); });
}

void AnswerView::begin(const QString& question) {
    clear();
    m_chips.clear();
    m_answer.clear();
    m_content = {question, {}, {}};
    insertText(question, mutedFormat());
    startBlock(6);
}

void AnswerView::setContent(const Content& content) {
    begin(content.question);
    if (content.question.isEmpty())
        clear();
    append(content.tokens);
    for (const QString& text : content.remarks)
        remark(text);
}

void AnswerView::startBlock(double topMargin) {
    QTextBlockFormat format;
    format.setTopMargin(topMargin);
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertBlock(format);
}

void AnswerView::append(const std::vector<TokenProduced>& tokens) {
    const EndFollower follower(*verticalScrollBar());
    m_content.tokens.insert(m_content.tokens.end(), tokens.begin(), tokens.end());
    // One insertion for all text between two masks, so that a flood of tokens stays cheap.
    QString text;
    for (const TokenProduced& token : tokens) {
        if (!token.isMask) {
            text += toQString(token.text);
            continue;
        }
        insertText(text);
        m_answer += text + QStringLiteral("<|mask|>");
        text.clear();
        m_chips.push_back(token.index);
        insertText(QString(QChar::ObjectReplacementCharacter),
            MaskChip::formatFor(token.index, static_cast<int>(m_chips.size())));
    }
    insertText(text);
    m_answer += text;
}

void AnswerView::remark(const QString& text) {
    const EndFollower follower(*verticalScrollBar());
    m_content.remarks += text;
    if (document()->lastBlock().length() > 1)
        startBlock(6);
    insertText(text, mutedFormat());
}

QTextCharFormat AnswerView::mutedFormat() const {
    QTextCharFormat format;
    format.setForeground(palette().color(QPalette::PlaceholderText));
    return format;
}

void AnswerView::insertText(const QString& text, const QTextCharFormat& format) {
    if (text.isEmpty())
        return;
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text, format);
}

std::optional<int> AnswerView::tokenAt(QPoint viewport) const {
    const QPointF inDocument
        = viewport + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
    const int position = document()->documentLayout()->hitTest(inDocument, Qt::ExactHit);
    if (position < 0)
        return {};
    // The hit is the gap that is nearest, which may lie on either side of the chip.
    for (const int before : {position, position - 1}) {
        if (before < 0 || document()->characterAt(before) != QChar::ObjectReplacementCharacter)
            continue;
        QTextCursor cursor(document());
        cursor.setPosition(before + 1);
        const QRect left = cursorRect([&] {
            QTextCursor start(document());
            start.setPosition(before);
            return start;
        }());
        const QRect right = cursorRect(cursor);
        if (viewport.x() >= left.left()
            && (viewport.x() <= right.left() || right.top() > left.top()))
            return MaskChip::tokenOf(cursor.charFormat());
    }
    return {};
}

void AnswerView::mouseMoveEvent(QMouseEvent* event) {
    QTextEdit::mouseMoveEvent(event);
    const std::optional<int> token = tokenAt(event->position().toPoint());
    viewport()->setCursor(token ? Qt::PointingHandCursor : Qt::IBeamCursor);
    m_masks.setHovered(token ? m_masks.rowOfToken(*token) : std::nullopt);
}

void AnswerView::mousePressEvent(QMouseEvent* event) {
    const std::optional<int> token = tokenAt(event->position().toPoint());
    if (token && event->button() == Qt::LeftButton) {
        const std::optional<int> row = m_masks.rowOfToken(*token);
        m_masks.select(m_masks.selected() == row ? std::nullopt : row);
        return;
    }
    QTextEdit::mousePressEvent(event);
}

void AnswerView::leaveEvent(QEvent* event) {
    m_masks.setHovered({});
    QTextEdit::leaveEvent(event);
}

void AnswerView::selectNeighbour(int step) {
    const auto rowCount = static_cast<int>(m_chips.size());
    if (rowCount == 0)
        return;
    int chip = step > 0 ? -1 : rowCount;
    for (int i = 0; i < rowCount; ++i) {
        const auto row = m_masks.rowOfToken(m_chips[static_cast<std::size_t>(i)]);
        if (row && row == m_masks.selected())
            chip = i;
    }
    chip = std::clamp(chip + step, 0, rowCount - 1);
    m_masks.select(m_masks.rowOfToken(m_chips[static_cast<std::size_t>(chip)]));
}

void AnswerView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier
        && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right))
        selectNeighbour(event->key() == Qt::Key_Right ? 1 : -1);
    else
        QTextEdit::keyPressEvent(event);
}

void AnswerView::changeEvent(QEvent* event) {
    QTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    // Muted text carries its colour; chips take theirs when they are painted.
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            if (part.fragment().charFormat().foreground().style() == Qt::NoBrush)
                continue;
            QTextCursor cursor(document());
            cursor.setPosition(part.fragment().position());
            cursor.setPosition(
                part.fragment().position() + part.fragment().length(), QTextCursor::KeepAnchor);
            cursor.setCharFormat(mutedFormat());
        }
}

QMimeData* AnswerView::createMimeDataFromSelection() const {
    // Chips are copied as words, and nothing as markup.
    QString text;
    const QTextCursor selection = textCursor();
    QTextCursor cursor(document());
    for (int position = selection.selectionStart(); position < selection.selectionEnd();
         ++position) {
        const QChar character = document()->characterAt(position);
        cursor.setPosition(position + 1);
        if (MaskChip::tokenOf(cursor.charFormat()))
            text += tr("[mask %1]").arg(MaskChip::numberOf(cursor.charFormat(), m_masks));
        else
            text += character == QChar::ParagraphSeparator ? QChar(u'\n') : character;
    }
    auto* copied = new QMimeData;
    copied->setText(text);
    return copied;
}

} // namespace maskscope
