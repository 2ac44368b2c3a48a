// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pair_view.h"

#include "core/history/run_summary.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/history_model.h"
#include "ui/text_label.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QPixmap>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope {

namespace {

constexpr int kMark = 12; ///< pixels of a run's colour

QString detailsOf(const RunSummary& run) {
    QStringList lines{askedText(run), QFileInfo(toQString(run.imagePath)).fileName(), wayText(run),
        deviceText(run.processor, run.device), localTimeText(run.started)};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QWidget* entryOf(const ComparedRuns& runs, int index, QWidget* parent) {
    auto* entry = new QWidget(parent);
    auto* mark = new QLabel(entry);
    QPixmap colour(kMark, kMark);
    colour.fill(colourOfMask(index));
    mark->setPixmap(colour);
    mark->setToolTip(PairView::tr("Its colour in the graph"));
    auto* title = new TextLabel("pairTitle", entry);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setText(toQString(runs.header.title));
    auto* details = new TextLabel("pairDetails", entry);
    details->setText(detailsOf(summaryOf(runs.first())));
    auto* grid = new QGridLayout(entry);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mark, 0, 0);
    grid->addWidget(title, 0, 1);
    grid->addWidget(details, 1, 1);
    return entry;
}

} // namespace

PairView::PairView(QWidget* parent)
    : QWidget(parent)
    , m_list(new QVBoxLayout) {
    setObjectName(QStringLiteral("pairView"));
    auto* back = new QPushButton(tr("&Back to the configurations"), this);
    back->setObjectName(QStringLiteral("pairBack"));
    back->setToolTip(tr("Leaves the past runs, to run the request of the Segment page in ways that "
                        "are chosen here"));
    connect(back, &QPushButton::clicked, this, &PairView::backRequested);
    m_list->setSpacing(12);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(12);
    layout->addWidget(new QLabel(tr("Two runs of the history"), this));
    layout->addLayout(m_list);
    layout->addWidget(back);
    layout->addStretch(1);
}

void PairView::setRuns(const std::vector<ComparedRuns>& compared) {
    while (QLayoutItem* item = m_list->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t i = 0; i < compared.size(); ++i)
        m_list->addWidget(entryOf(compared[i], int(i), this));
}

} // namespace maskscope
