// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_results.h"

#include "core/compare/figures_table.h"
#include "core/compare/memory_note.h"
#include "ui/convert.h"
#include "ui/drawing_column.h"
#include "ui/figure_table.h"
#include "ui/result_view.h"
#include "ui/text_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

namespace maskscope {

namespace {

/// Wiring first: what must be equal to the bit is not mixed with what may round.
QString verdictsOf(const std::vector<ComparedRuns>& compared) {
    const std::vector<Comparison> comparisons = comparisonsOf(compared);
    QStringList lines;
    for (const PairKind kind :
        {PairKind::Wiring, PairKind::Path, PairKind::Input, PairKind::Unknown})
        for (std::size_t i = 0; i < comparisons.size(); ++i)
            if (comparisons[i].kind == kind)
                lines += QStringLiteral("%1: %2").arg(
                    toQString(compared[i + 1].header.title), toQString(comparisons[i].sentence));
    for (const std::string& note : memoryNotesOf(compared))
        lines += toQString(note);
    for (const std::string& remark : remarksOf(compared))
        lines += toQString(remark);
    for (const std::string& failure : failuresOf(compared))
        lines += toQString(failure);
    return lines.join(u'\n');
}

FigureSheet sheetOf(const FiguresTable& table) {
    FigureSheet sheet;
    sheet.columns.push_back({QString()});
    for (const std::string& column : table.columns)
        sheet.columns.push_back({toQString(column)});
    std::string group;
    for (const FiguresTable::Row& row : table.rows) {
        if (row.group != std::exchange(group, row.group))
            sheet.rows.push_back({{toQString(row.group)}, {}, FigureSheet::Kind::Heading});
        FigureSheet::Row shown{{toQString(row.name)}, {},
            row.outstanding ? FigureSheet::Kind::Outstanding : FigureSheet::Kind::Figures};
        for (const std::string& cell : row.cells)
            shown.cells += toQString(cell);
        sheet.rows.push_back(std::move(shown));
    }
    return sheet;
}

} // namespace

CompareResults::CompareResults(QWidget* parent)
    : QWidget(parent)
    , m_verdicts(new TextLabel("compareVerdicts", this))
    , m_tabs(new QTabWidget(this))
    , m_figures(new FigureTable(tr("Figures of the compared runs")))
    , m_second(new QComboBox)
    , m_view(new ResultView)
    , m_answers(new TextLabel("compareAnswers")) {
    m_figures->setObjectName(QStringLiteral("compareFigures"));
    m_tabs->setObjectName(QStringLiteral("compareTabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_figures, tr("Figures"));
    m_tabs->addTab(makeOutputs(), tr("Outputs"));
    auto* answers = new QScrollArea;
    answers->setFrameShape(QFrame::NoFrame);
    answers->setWidgetResizable(true);
    m_answers->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_answers->setMargin(10);
    answers->setWidget(m_answers);
    m_tabs->addTab(answers, tr("Answers"));
    m_verdicts->setContentsMargins(10, 6, 10, 6);
    m_verdicts->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_verdicts);
    layout->addWidget(m_tabs, 1);
}

QWidget* CompareResults::makeOutputs() {
    auto* difference = new QCheckBox(tr("What &differs"));
    difference->setObjectName(QStringLiteral("differenceBox"));
    difference->setToolTip(tr("Shows only what one of the two has"));
    m_second->setObjectName(QStringLiteral("secondRun"));
    m_second->setAccessibleName(tr("The run on the right"));
    m_second->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_second, &QComboBox::currentIndexChanged, this, &CompareResults::showPair);
    connect(difference, &QCheckBox::toggled, this,
        [this](bool on) { m_view->setMode(on ? ResultMode::Difference : ResultMode::Divided); });
    return new DrawingColumn(
        {new QLabel(tr("The first against")), m_second, difference}, {}, m_view);
}

void CompareResults::clear() {
    m_compared.reset();
    m_verdicts->hide();
    m_figures->setSheet({});
    m_second->clear();
    m_view->setResults(nullptr, nullptr, nullptr, {}, {});
    m_answers->clear();
}

void CompareResults::setCompared(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
    const std::shared_ptr<const Picture>& picture) {
    clear();
    m_compared = compared;
    m_picture = picture;
    m_verdicts->setText(verdictsOf(*compared));
    m_verdicts->show();
    m_figures->setSheet(sheetOf(figuresOf(*compared)));
    for (std::size_t i = 1; i < compared->size(); ++i)
        m_second->addItem(toQString((*compared)[i].header.title));
    showPair();
    showAnswers();
}

void CompareResults::showPair() {
    if (!m_compared || m_second->currentIndex() < 0)
        return;
    const ComparedRuns& first = m_compared->front();
    const ComparedRuns& second = (*m_compared)[std::size_t(m_second->currentIndex()) + 1];
    m_view->setResults(m_picture, reportOf(first.first()), reportOf(second.first()),
        toQString(first.header.title), toQString(second.header.title));
}

void CompareResults::showAnswers() {
    QStringList answers;
    for (const ComparedRuns& runs : *m_compared)
        if (const Report* report = reportOf(runs.first()))
            answers += QStringLiteral("%1\n%2").arg(
                toQString(runs.header.title), toQString(report->answer));
    m_answers->setText(answers.join(QStringLiteral("\n\n")));
}

} // namespace maskscope
