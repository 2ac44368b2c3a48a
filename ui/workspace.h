// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compose.h"
#include "ui/image_loader.h"
#include "ui/mask_model.h"
#include "ui/picture.h"
#include "ui/prompts.h"
#include "ui/window_page.h"

#include <memory>
#include <utility>
#include <vector>

class QStackedWidget;

namespace maskscope {

class Canvas;
class MessageBar;
class PromptBar;
class ReplayBar;
class StartPage;

/// The middle of the window: messages, the image (or the start page before there is one) and the
/// line that asks. It holds what is asked for: picture, tool, prompts.
class Workspace : public WindowPage {
    Q_OBJECT
public:
    Workspace(MaskModel& masks, ImageReader reader, QWidget* parent = nullptr);

    Canvas& canvas() { return *m_canvas; }
    MessageBar& messages() { return *m_messages; }
    PromptBar& promptBar() { return *m_promptBar; }
    ReplayBar& replayBar() { return *m_replayBar; }
    StartPage& startPage() { return *m_startPage; }

    /// Shows another picture with what was asked of it; null shows the start page.
    void setPicture(const std::shared_ptr<const Picture>& picture, const Prompting& prompting = {});
    const std::shared_ptr<const Picture>& picture() const { return m_picture; }
    void setTool(Tool tool);
    Tool tool() const { return m_tool; }
    const PromptSet& prompts() const { return m_asked.prompts; }
    const Prompting& prompting() const { return m_asked; }
    /// In place of what is asked.
    void setPrompting(const Prompting& prompting);
    /// In place of those that there are: what a past run was asked.
    void showPrompts(const std::vector<PointPrompt>& points, const std::vector<BoxPrompt>& boxes);
    void clearPrompts();
    void editRequest();
    /// What the first point may mean, as Request::meaning, likeliest first. Another first point
    /// means the likeliest again.
    void setMeanings(std::vector<int> meanings) { m_asked.meanings = std::move(meanings); }
    bool hasMeanings() const { return m_asked.meanings.size() > 1 && !prompts().isEmpty(); }
    /// The next of them, after the last the first.
    void takeNextMeaning();

    Ask ask(const RunSettings& settings) const;
    /// Of the session.
    void setState(Session::State state);

    void run() override { Q_EMIT runRequested(); }
    void stop() override { Q_EMIT stopRequested(); }
    Session::State state() const override { return m_state; }
    void showError(const Error& error) override;

Q_SIGNALS:
    void promptsChanged();
    /// A point or a box was placed on the image.
    void promptPlaced();
    void runRequested();
    void stopRequested();

private:
    void setPrompts(PromptSet prompts);

    std::shared_ptr<const Picture> m_picture;
    Tool m_tool = Tool::Words;
    Prompting m_asked;
    Session::State m_state = Session::State::Idle;
    ReplayBar* m_replayBar;
    MessageBar* m_messages;
    QStackedWidget* m_pages;
    StartPage* m_startPage;
    Canvas* m_canvas;
    PromptBar* m_promptBar;
};

} // namespace maskscope
