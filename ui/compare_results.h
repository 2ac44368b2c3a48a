// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "ui/picture.h"

#include <QWidget>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QTabWidget;

namespace maskscope {

class FigureTable;
class ResultView;

/// What a comparison says: the verdicts, a table of figures, the outputs side by side, the answers.
class CompareResults : public QWidget {
    Q_OBJECT
public:
    explicit CompareResults(QWidget* parent = nullptr);

    void clear();
    void setCompared(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
        const std::shared_ptr<const Picture>& picture);

private:
    QWidget* makeOutputs();
    void showPair();
    void showAnswers();

    std::shared_ptr<const std::vector<ComparedRuns>> m_compared;
    std::shared_ptr<const Picture> m_picture;
    QLabel* m_verdicts;
    QTabWidget* m_tabs;
    FigureTable* m_figures;
    QComboBox* m_second;
    ResultView* m_view;
    QLabel* m_answers;
};

} // namespace maskscope
