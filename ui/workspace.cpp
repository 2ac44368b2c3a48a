// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace.h"

#include "ui/canvas.h"
#include "ui/convert.h"
#include "ui/message_bar.h"
#include "ui/prompt_bar.h"
#include "ui/replay_bar.h"
#include "ui/request_edit.h"
#include "ui/start_page.h"

#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace maskscope {

Workspace::Workspace(MaskModel& masks, ImageReader reader, QWidget* parent)
    : WindowPage(parent)
    , m_replayBar(new ReplayBar(this))
    , m_messages(new MessageBar(this))
    , m_pages(new QStackedWidget(this))
    , m_startPage(new StartPage(std::move(reader)))
    , m_canvas(new Canvas(masks))
    , m_promptBar(new PromptBar(this)) {
    m_pages->addWidget(m_startPage);
    m_pages->addWidget(m_canvas);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_replayBar);
    layout->addWidget(m_messages);
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_promptBar);

    connect(m_canvas, &Canvas::pointPlaced, this, [this](const PointPrompt& point) {
        PromptSet prompts = m_asked.prompts;
        prompts.addPoint(point);
        setPrompts(std::move(prompts));
        Q_EMIT promptPlaced();
    });
    connect(m_canvas, &Canvas::boxDrawn, this, [this](const BoxPrompt& box, BoxOrder order) {
        PromptSet prompts = m_asked.prompts;
        prompts.addBox(box, order);
        setPrompts(std::move(prompts));
        Q_EMIT promptPlaced();
    });
    connect(m_promptBar, &PromptBar::runRequested, this, &Workspace::runRequested);
    connect(m_promptBar, &PromptBar::stopRequested, this, &Workspace::stopRequested);
}

void Workspace::setPicture(
    const std::shared_ptr<const Picture>& picture, const Prompting& prompting) {
    m_picture = picture;
    setPrompting(prompting);
    if (picture) {
        m_canvas->setPicture(picture);
        m_pages->setCurrentWidget(m_canvas);
    } else {
        m_pages->setCurrentWidget(m_startPage);
    }
}

void Workspace::setTool(Tool tool) {
    m_tool = tool;
    m_canvas->setTool(tool);
    m_promptBar->setTool(tool);
}

void Workspace::setPrompts(PromptSet prompts) {
    m_asked.prompts = std::move(prompts);
    if (m_asked.prompts.points().size() <= 1)
        m_asked.meaning = 0;
    m_canvas->setPrompts(m_asked.prompts);
    m_promptBar->setPrompts(m_asked.prompts);
    Q_EMIT promptsChanged();
}

void Workspace::showPrompts(
    const std::vector<PointPrompt>& points, const std::vector<BoxPrompt>& boxes) {
    PromptSet prompts;
    for (const PointPrompt& point : points)
        prompts.addPoint(point);
    for (const BoxPrompt& box : boxes)
        prompts.addBox(box, BoxOrder::Another);
    setPrompts(std::move(prompts));
    m_canvas->setPrompts(m_asked.prompts, PromptMarks::Always);
}

void Workspace::setPrompting(const Prompting& prompting) {
    setPrompts(prompting.prompts);
    m_asked = prompting;
}

void Workspace::clearPrompts() {
    setPrompts({});
}

void Workspace::takeNextMeaning() {
    const std::vector<int>& meanings = m_asked.meanings;
    const auto now = std::find(meanings.begin(), meanings.end(), m_asked.meaning);
    const bool last = now == meanings.end() || std::next(now) == meanings.end();
    m_asked.meaning = last ? meanings.front() : *std::next(now);
}

void Workspace::editRequest() {
    m_promptBar->edit().setFocus(Qt::ShortcutFocusReason);
    m_promptBar->edit().selectAll();
}

void Workspace::setState(Session::State state) {
    m_state = state;
    m_promptBar->setState(state);
    Q_EMIT stateChanged(state);
}

void Workspace::showError(const Error& error) {
    m_messages->showMessage(MessageBar::Kind::Error, toQString(error.sentence));
}

Ask Workspace::ask(const RunSettings& settings) const {
    return {m_picture, m_tool, m_promptBar->words(), m_promptBar->wordsWithPrompts(), prompts(),
        m_asked.meaning, settings};
}

} // namespace maskscope
