// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/anatomy_dialog.h"

#include "core/base/atomic_file.h"
#include "core/measure/anatomy_text.h"
#include "ui/anatomy_sheet.h"
#include "ui/convert.h"
#include "ui/export_button.h"
#include "ui/figure_table.h"
#include "ui/graph_axis.h"
#include "ui/read_out.h"
#include "ui/run_button.h"
#include "ui/screen_size.h"
#include "ui/text_label.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace maskscope {

AnatomyDialog::AnatomyDialog(TakeAnatomy take, QWidget* parent)
    : QDialog(parent)
    , m_what(new TextLabel("anatomyWhat", this))
    , m_sentence(new TextLabel("anatomySentence", this))
    , m_run(new RunButton(tr("Do the run again and look"), tr("Stop looking"), this))
    , m_progress(new QProgressBar(this))
    , m_text(new TextLabel("anatomyText", this))
    , m_table(new FigureTable(tr("Tensors that are alive"), this))
    , m_copy(new QPushButton(tr("&Copy"), this))
    , m_export(new ExportButton(tr("Export the tensors"), QStringLiteral("tensors"),
          {{QStringLiteral("csv"), tr("&Export as CSV…")}}, this))
    , m_job(std::move(take)) {
    setObjectName(QStringLiteral("anatomyDialog"));
    setWindowTitle(tr("What is in the memory"));
    QFont bold = font();
    bold.setBold(true);
    m_sentence->setFont(bold);
    m_run->setObjectName(QStringLiteral("anatomyButton"));
    m_progress->setAccessibleName(tr("Progress of the second run"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->hide();
    m_table->setObjectName(QStringLiteral("anatomyTable"));
    auto* again = new QHBoxLayout;
    again->setSpacing(10);
    again->addWidget(m_run);
    again->addWidget(m_progress);
    again->addWidget(m_text, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_what);
    layout->addWidget(m_sentence);
    layout->addLayout(again);
    layout->addWidget(m_table, 1);
    layout->addWidget(makeButtons());
    resize(onScreen(*this, {900, 520}));
    connectJob();
}

AnatomyDialog::~AnatomyDialog() = default;

QWidget* AnatomyDialog::makeButtons() {
    auto* row = new QWidget(this);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, row);
    m_copy->setObjectName(QStringLiteral("anatomyCopy"));
    m_copy->setToolTip(tr("The rows that are selected, or all, for a spreadsheet"));
    m_export->setObjectName(QStringLiteral("anatomyExport"));
    m_copy->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    m_run->setAutoDefault(false);
    connect(m_copy, &QPushButton::clicked, this,
        [this] { QApplication::clipboard()->setText(m_table->copyText()); });
    connect(m_export, &ExportButton::failed, this,
        [this](const Error& error) { tell(toQString(error.sentence)); });
    connect(m_export, &ExportButton::written, this,
        [this](const QString& file) { tell(tr("Wrote %1").arg(QDir::toNativeSeparators(file))); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_copy);
    layout->addWidget(m_export);
    layout->addStretch(1);
    layout->addWidget(buttons);
    return row;
}

void AnatomyDialog::connectJob() {
    connect(m_run, &RunButton::runRequested, this, &AnatomyDialog::start);
    connect(m_run, &RunButton::stopRequested, &m_job, &AnatomyJob::stop);
    connect(&m_job, &AnatomyJob::stateChanged, this, [this](AnatomyJob::State state) {
        m_run->setState(state);
        m_progress->setVisible(state != AnatomyJob::State::Idle);
        if (state == AnatomyJob::State::Idle)
            m_second.stop();
    });
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &AnatomyDialog::tellProgress);
    connect(&m_job, &AnatomyJob::reached, this, [this](Stage stage) {
        m_stage = stage;
        tellProgress();
    });
    connect(&m_job, &AnatomyJob::taken, this, &AnatomyDialog::showAnatomy);
    connect(&m_job, &AnatomyJob::failed, this,
        [this](const Error& error) { tell(toQString(error.sentence)); });
    connect(&m_job, &AnatomyJob::ended, this, [this] {
        m_run->setTitle(tr("Run again"));
        if (std::exchange(m_again, false))
            start();
        else if (!m_told)
            tell(tr("Stopped."));
    });
}

void AnatomyDialog::look(const AnatomyQuestion& question, const QString& what, double runMs) {
    m_question = question;
    m_runMs = runMs;
    m_what->setText(what);
    m_run->setReady(true);
    show();
    raise();
    activateWindow();
    if (m_job.state() == AnatomyJob::State::Idle) {
        start();
        return;
    }
    m_again = true;
    m_job.stop();
}

void AnatomyDialog::tell(const QString& text) {
    m_told = true;
    m_text->setText(text);
}

void AnatomyDialog::start() {
    m_told = false;
    m_table->setSheet({});
    m_sentence->clear();
    m_copy->setEnabled(false);
    m_export->setWrite(nullptr);
    m_stage.reset();
    m_sinceStart.start();
    m_second.start();
    tellProgress();
    m_run->setFocus();
    m_job.start(*m_question);
}

void AnatomyDialog::tellProgress() {
    if (m_told)
        return;
    QString text = tr("The run is done again with every tensor observed, in a process of its own: "
                      "this takes longer than the run itself");
    if (m_runMs > 0)
        text += tr(", which took %1").arg(durationText(m_runMs));
    if (m_stage)
        text += tr("; it is at the stage %1").arg(titleOf(*m_stage));
    if (const qint64 seconds = m_sinceStart.elapsed() / 1000; seconds > 0)
        text += tr("; %1 so far").arg(durationText(double(seconds) * 1000));
    m_text->setText(text + u'.');
}

void AnatomyDialog::showAnatomy(const std::shared_ptr<const Anatomy>& anatomy) {
    m_sentence->setText(toQString(sentenceOf(*anatomy)));
    tell(tr("As found in a second run, in a process of its own."));
    m_table->setSheet(anatomySheet(*anatomy));
    m_copy->setEnabled(true);
    m_export->setWrite([anatomy](const std::filesystem::path& file) {
        AtomicFile output(file);
        output.write(csvOf(*anatomy));
        output.commit(); // the dialog has asked
    });
    m_table->setCurrentCell(0, 0, QItemSelectionModel::NoUpdate);
    m_table->setFocus();
}

void AnatomyDialog::done(int result) {
    m_again = false;
    m_job.stop(); // nobody waits for it any more
    QDialog::done(result);
}

} // namespace maskscope
