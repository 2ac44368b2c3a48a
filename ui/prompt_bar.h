// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compose.h"
#include "ui/session.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace maskscope {

class RequestEdit;
class RunButton;

/// The line below the image: what will be asked, and the button that asks it. With the words tool
/// it is the text; with the others what has been clicked and drawn.
class PromptBar : public QWidget {
    Q_OBJECT
public:
    explicit PromptBar(QWidget* parent = nullptr);

    RequestEdit& edit() { return *m_edit; }
    QString words() const;
    void setWords(const QString& words);
    WordsWithPrompts wordsWithPrompts() const;

    void setTool(Tool tool);
    void setPrompts(const PromptSet& prompts);
    void setState(Session::State state);
    void setRunEnabled(bool enabled);

Q_SIGNALS:
    void runRequested();
    void stopRequested();
    void clearRequested();

private:
    QWidget* makePromptPage();
    void updatePromptPage();

    Tool m_tool = Tool::Words;
    PromptSet m_prompts;
    QStackedWidget* m_pages;
    RequestEdit* m_edit;
    QLabel* m_hint;
    QCheckBox* m_refine;
    QPushButton* m_clear;
    RunButton* m_run;
};

} // namespace maskscope
