// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt_bar.h"

#include "ui/icons.h"
#include "ui/request_edit.h"
#include "ui/run_button.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kLineHeight = 34;
constexpr int kPromptPage = 1;

} // namespace

PromptBar::PromptBar(QWidget* parent)
    : QWidget(parent)
    , m_pages(new QStackedWidget(this))
    , m_edit(new RequestEdit(m_pages))
    , m_hint(new QLabel)
    , m_refine(new QCheckBox)
    , m_clear(new QPushButton(icon(QStringLiteral("clear")), tr("Next object")))
    , m_run(new RunButton(tr("Ask this of the image (Ctrl+Enter)"),
          tr("Stop and keep what is there (Esc)"), this)) {
    m_edit->setObjectName(QStringLiteral("requestEdit"));
    m_edit->setMinimumHeight(kLineHeight);
    m_edit->setPlaceholderText(tr("What should be found? For example: the red ball"));
    m_edit->setAccessibleName(tr("Request"));
    m_edit->setAccessibleDescription(
        tr("Words for what should be found. Up and Down bring back earlier requests."));
    m_edit->setTextMargins(6, 0, 6, 0);
    m_run->setObjectName(QStringLiteral("runButton"));

    m_pages->addWidget(m_edit);
    m_pages->insertWidget(kPromptPage, makePromptPage());
    m_pages->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_pages->setFixedHeight(std::max(kLineHeight, 2 * fontMetrics().lineSpacing() + 4));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(8);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_run);

    connect(m_edit, &QLineEdit::returnPressed, this, &PromptBar::runRequested);
    connect(m_edit, &QLineEdit::textChanged, this, &PromptBar::updatePromptPage);
    connect(m_clear, &QPushButton::clicked, this, &PromptBar::clearRequested);
    connect(m_run, &RunButton::runRequested, this, &PromptBar::runRequested);
    connect(m_run, &RunButton::stopRequested, this, &PromptBar::stopRequested);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    updatePromptPage();
}

QWidget* PromptBar::makePromptPage() {
    auto* page = new QWidget(m_pages);
    auto* layout = new QHBoxLayout(page);
    layout->setContentsMargins(4, 0, 0, 0);
    layout->setSpacing(12);
    m_hint->setObjectName(QStringLiteral("promptHint"));
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    m_hint->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_refine->setObjectName(QStringLiteral("refineBox"));
    m_refine->setToolTip(tr("The clicks improve the mask that the words find, instead of standing "
                            "alone"));
    m_clear->setObjectName(QStringLiteral("clearButton"));
    m_clear->setToolTip(
        tr("Keeps what is there; the next points and boxes are another object's (Esc)"));
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_refine);
    layout->addWidget(m_clear);
    return page;
}

QString PromptBar::words() const {
    return m_edit->text();
}

void PromptBar::setWords(const QString& words) {
    m_edit->setText(words);
}

WordsWithPrompts PromptBar::wordsWithPrompts() const {
    return m_refine->isChecked() && m_refine->isVisibleTo(m_pages->widget(kPromptPage))
        ? WordsWithPrompts::Refine
        : WordsWithPrompts::Leave;
}

void PromptBar::setTool(Tool tool) {
    m_tool = tool;
    m_pages->setCurrentIndex(tool == Tool::Words ? 0 : kPromptPage);
    updatePromptPage();
}

void PromptBar::setPrompts(const PromptSet& prompts) {
    m_prompts = prompts;
    updatePromptPage();
}

void PromptBar::updatePromptPage() {
    Request asked;
    asked.points = m_prompts.points();
    asked.boxes = m_prompts.boxes();
    QString hint;
    if (!m_prompts.isEmpty())
        hint = describe(asked) + QStringLiteral(" · ")
            + (m_tool == Tool::Points ? tr("right click excludes") : tr("Ctrl+drag adds another"));
    else if (m_tool == Tool::Points)
        hint = tr("Click the object; a right click, or Shift, excludes.");
    else
        hint = tr("Drag a box around the object. With Ctrl it is one more.");
    m_hint->setText(hint);
    m_clear->setEnabled(!m_prompts.isEmpty());

    constexpr qsizetype kShownWords = 24;
    const QString words = m_edit->text().trimmed();
    const QString shown = words.size() > kShownWords
        ? words.left(kShownWords - 1).trimmed() + QChar(0x2026)
        : words;
    // An ampersand would become a mnemonic.
    m_refine->setText(tr("Refine “%1”").arg(QString(shown).replace(u'&', QStringLiteral("&&"))));
    m_refine->setVisible(!words.isEmpty());
}

void PromptBar::setState(Session::State state) {
    m_run->setState(state);
}

void PromptBar::setRunEnabled(bool enabled) {
    m_run->setReady(enabled);
}

} // namespace maskscope
