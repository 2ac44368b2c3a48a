// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_page.h"

#include "core/history/run_summary.h"
#include "core/memory/process.h"
#include "ui/compare_form.h"
#include "ui/compare_plot.h"
#include "ui/compare_results.h"
#include "ui/compare_row.h"
#include "ui/convert.h"
#include "ui/drawing_column.h"
#include "ui/export_button.h"
#include "ui/message_bar.h"
#include "ui/pair_view.h"
#include "ui/remedies.h"
#include "ui/run_side.h"

#include <QCheckBox>
#include <QDir>
#include <QHideEvent>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace maskscope {

ComparePage::ComparePage(CompareTools tools, QWidget* parent)
    : WindowPage(parent)
    , m_tools(std::move(tools))
    , m_messages(new MessageBar(this))
    , m_form(new CompareForm)
    , m_pair(new PairView)
    , m_side(new RunSide(makeForm(), QStringLiteral("compare"),
          {tr("Configurations"), tr("Run all configurations, one after the other (Ctrl+Enter)"),
              tr("Stop; nothing is shown of a comparison that is not complete (Esc)"),
              tr("Progress of the comparison")},
          this))
    , m_plot(new ComparePlot)
    , m_results(new CompareResults)
    , m_export(new ExportButton(tr("Export the comparison"), QStringLiteral("comparison"),
          {{QStringLiteral("html"), tr("Report as &HTML…")},
              {QStringLiteral("md"), tr("Text of a &change request…")},
              {QStringLiteral("json"), tr("Figures as &JSON…")},
              {QStringLiteral("svg"), tr("Memory curves as &SVG…")}},
          this))
    , m_job(m_tools.run) {
    setObjectName(QStringLiteral("comparePage"));
    m_messages->setObjectName(QStringLiteral("compareMessages"));
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(makeDrawing());
    halves->addWidget(m_results);
    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(halves, 1);
    column->addWidget(m_messages); // where it moves nothing that is about to be clicked
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(m_side);
    sides->addWidget(right);
    sides->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(sides, 1);
    connectJob();
    setAsk({});
}

ComparePage::~ComparePage() = default;

QWidget* ComparePage::makeForm() {
    auto* form = new QWidget;
    auto* layout = new QVBoxLayout(form);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_form);
    layout->addWidget(m_pair);
    m_pair->hide();
    connect(m_pair, &PairView::backRequested, this, &ComparePage::leavePast);
    return form;
}

QWidget* ComparePage::makeDrawing() {
    auto* difference = new QCheckBox(tr("D&ifference line"));
    difference->setObjectName(QStringLiteral("differenceLine"));
    difference->setToolTip(tr("Draws the second configuration's memory minus the first's"));
    connect(difference, &QCheckBox::toggled, m_plot, [this](bool on) {
        m_plot->setDifference(on ? DifferenceLine::Shown : DifferenceLine::Hidden);
    });
    m_peaks = makePeaks();
    m_export->setObjectName(QStringLiteral("compareExport"));
    m_export->setTip(tr("Write the comparison into a file"));
    return new DrawingColumn({difference}, {m_peaks, m_export}, m_plot);
}

QPushButton* ComparePage::makePeaks() {
    auto* button = new QPushButton(tr("What is in the &peak of"), this);
    button->setObjectName(QStringLiteral("comparePeaks"));
    button->setEnabled(false);
    button->setMenu(new QMenu(button));
    return button;
}

void ComparePage::fillPeaks() {
    m_peaks->menu()->clear();
    m_peaks->setEnabled(false);
    for (std::size_t i = 0; m_compared && i < m_compared->size(); ++i) {
        QString title = toQString((*m_compared)[i].header.title);
        QAction* action = m_peaks->menu()->addAction(title.replace(u'&', QStringLiteral("&&")));
        const bool measured = !memoryOf((*m_compared)[i].first()).empty();
        action->setEnabled(measured);
        m_peaks->setEnabled(m_peaks->isEnabled() || measured);
        connect(action, &QAction::triggered, this, [this, i] { lookIntoPeak(int(i)); });
    }
    m_peaks->setToolTip(m_peaks->isEnabled()
            ? tr("Every tensor that was alive at the highest moment; a click on a curve looks into "
                 "another moment")
            : tr("There is no curve to look into yet: run the configurations first"));
}

void ComparePage::lookInto(
    int configuration, const std::function<AnatomyMoment(const RunCurve&)>& moment) {
    if (!m_compared)
        return;
    const ComparedRuns& runs = (*m_compared)[std::size_t(configuration)];
    const RunCurve curve = curveOf(runs.first());
    if (curve.series.isEmpty())
        return;
    const Result<RunHeader> run = againOf(runs.first());
    if (!run) {
        m_messages->showMessage(MessageBar::Kind::Note, toQString(run.error().sentence));
        return;
    }
    const AnatomyMoment at = moment(curve);
    Q_EMIT anatomyWanted(RunAnatomyQuestion{run.value(), at},
        tr("%1: %2").arg(toQString(runs.header.title), textOf(at)),
        summaryOf(runs.first()).totalMs);
}

void ComparePage::lookIntoPeak(int configuration) {
    lookInto(configuration,
        [](const RunCurve& curve) { return peakOf(curve.series, curve.stages, Weights::Hidden); });
}

void ComparePage::connectJob() {
    connect(m_plot, &ComparePlot::peakClicked, this, &ComparePage::lookIntoPeak);
    connect(m_plot, &ComparePlot::momentClicked, this, [this](int configuration, double tMs) {
        lookInto(configuration,
            [tMs](const RunCurve& curve) { return momentAt(curve.series, curve.stages, tMs); });
    });
    connect(m_side, &RunSide::runRequested, this, &ComparePage::run);
    connect(m_side, &RunSide::stopRequested, this, &ComparePage::stop);
    connect(m_export, &ExportButton::failed, this, &ComparePage::showError);
    connect(m_export, &ExportButton::written, this, [this](const QString& file) {
        m_messages->showMessage(
            MessageBar::Kind::Note, tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
    });
    connect(&m_job, &CompareJob::stateChanged, this, [this](CompareJob::State state) {
        m_side->setState(state);
        Q_EMIT stateChanged(state);
    });
    connect(
        &m_job, &CompareJob::began, this, [this](int configuration, int repeat, double fraction) {
            m_side->setProgress(fraction);
            const QString title
                = toQString(m_plan.configurations.at(std::size_t(configuration)).title);
            m_side->setText(m_plan.repeats > 1 ? tr("Running %1, repeat %2 of %3…")
                                                     .arg(title)
                                                     .arg(repeat + 1)
                                                     .arg(m_plan.repeats)
                                               : tr("Running %1, %2 of %3…")
                                                     .arg(title)
                                                     .arg(configuration + 1)
                                                     .arg(m_plan.configurations.size()));
        });
    connect(&m_job, &CompareJob::memoryArrived, m_plot, &ComparePlot::add);
    connect(&m_job, &CompareJob::runFailed, this, [this](int configuration, const Error& error) {
        const auto& title = m_plan.configurations.at(std::size_t(configuration)).title;
        m_messages->showMessage(MessageBar::Kind::Error, toQString(title + ": " + error.sentence));
    });
    connect(&m_job, &CompareJob::failed, this, &ComparePage::showError);
    connect(&m_job, &CompareJob::compared, this,
        [this](const std::shared_ptr<const std::vector<ComparedRuns>>& compared) {
            m_side->setText(tr("Each run had a process of its own."));
            showRuns(compared, m_picture);
            offerRemedies();
            Q_EMIT measured(compared, m_picture);
        });
    connect(&m_job, &CompareJob::ended, this, [this] {
        if (!m_compared)
            m_side->setText(tr("Stopped."));
    });
}

void ComparePage::setAsk(const Ask& ask) {
    m_ask = ask;
    const Result<Request> request = composeRequest(ask);
    if (showsPast())
        m_side->setQuestion({});
    else
        m_side->setQuestion(request ? tr("Request: %1").arg(describe(request.value()))
                                    : toQString(request.error().sentence));
    m_side->setReady(request.ok() && m_tools.run && !showsPast());
}

void ComparePage::setModel(const ModelDescription& model) {
    m_model = model;
    m_form->setModel(model);
}

void ComparePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_tools.describeMachine)
        return;
    m_background.run(m_tools.describeMachine,
        [this](const MachineInfo& machine) { m_form->setDevices(machine.devices); });
}

void ComparePage::hideEvent(QHideEvent* event) {
    WindowPage::hideEvent(event);
    if (!event->spontaneous()) // the whole window may only be minimised
        m_messages->dismissNote();
}

Result<RunHeader> ComparePage::question() {
    const Result<Request> request = composeRequest(m_ask);
    if (!request)
        return request.error();
    return m_question.of(request.value(), *m_ask.picture, m_tools.model);
}

void ComparePage::run() {
    if (m_job.state() != CompareJob::State::Idle || showsPast())
        return;
    const Result<RunHeader> header = question();
    if (!header) {
        m_messages->showMessage(MessageBar::Kind::Note, toQString(header.error().sentence));
        return;
    }
    m_messages->dismiss();
    m_picture = m_ask.picture;
    clearRuns();
    m_plan = m_form->plan(header.value());
    QStringList titles;
    for (const RunHeader& configuration : m_plan.configurations)
        titles += toQString(configuration.title);
    m_plot->begin(titles);
    m_side->setProgress(0);
    m_job.start(m_plan);
}

void ComparePage::clearRuns() {
    m_results->clear();
    m_compared.reset();
    m_export->setWrite(nullptr);
    fillPeaks();
}

void ComparePage::stop() {
    m_job.stop();
}

void ComparePage::showRuns(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
    const std::shared_ptr<const Picture>& picture) {
    m_compared = compared;
    m_picture = picture;
    if (m_tools.write)
        m_export->setWrite(
            [compared, image = picture->image, write = m_tools.write](
                const std::filesystem::path& file) { write(*compared, *image, file); });
    m_results->setCompared(compared, picture);
    fillPeaks();
}

void ComparePage::offerRemedies() {
    for (std::size_t i = 0; i < m_compared->size(); ++i) {
        const RunRecord& run = (*m_compared)[i].first();
        const Error* error = errorOf(run);
        if (error == nullptr || error->kind != ErrorKind::Memory)
            continue;
        const RunHeader& header = (*m_compared)[i].header;
        QString sentence = toQString(header.title + ": " + error->sentence);
        const RunCurve curve = curveOf(run);
        // One that was refused before its first stage has held nothing.
        const MemorySample* peak = curve.series.peak();
        if (peak != nullptr && !curve.stages.bands().empty())
            if (const QString most = largestCategories(*peak); !most.isEmpty())
                sentence += QChar(u' ') + tr("At the highest there were %1.").arg(most);
        const auto& limit = header.settings.memoryLimit;
        std::vector<MessageBar::Step> steps;
        for (const Remedy& remedy : remediesFor(header.settings, m_model,
                 std::int64_t(m_picture->image->width) * m_picture->image->height,
                 limit ? limit : defaultMemoryLimit(0)))
            steps.push_back({remedy.title,
                [this, i, settings = remedy.settings] { runInstead(int(i), settings); }});
        m_messages->showMessage(MessageBar::Kind::Error, sentence, steps);
        return; // one at a time: what helps one may help the others
    }
}

void ComparePage::runInstead(int configuration, const RunSettings& settings) {
    const RunSettings& before = (*m_compared)[std::size_t(configuration)].header.settings;
    m_form->row(configuration).setAttention(settings.attention);
    if (settings.pixels != before.pixels)
        m_form->setPixels(settings.pixels); // of all, or they could not be compared
    run();
}

void ComparePage::showPast(const PastPair& pair) {
    if (m_job.state() != CompareJob::State::Idle) {
        m_messages->showMessage(MessageBar::Kind::Note,
            tr("A comparison is running: stop it, or wait for its end, to see past runs here."));
        return;
    }
    m_messages->dismiss();
    QStringList titles;
    for (const ComparedRuns& runs : *pair.runs)
        titles += toQString(runs.header.title);
    m_plot->begin(titles);
    for (std::size_t i = 0; i < pair.runs->size(); ++i)
        m_plot->add(int(i), curveOf((*pair.runs)[i].first()).series.samples());
    m_pair->setRuns(*pair.runs);
    m_pair->show();
    m_form->hide();
    m_side->setText({});
    setAsk(m_ask);
    showRuns(pair.runs, pair.scene.picture);
    if (!pair.note.isEmpty())
        m_messages->showMessage(MessageBar::Kind::Note, pair.note);
}

bool ComparePage::showsPast() const {
    return !m_pair->isHidden();
}

void ComparePage::leavePast() {
    m_pair->hide();
    m_form->show();
    m_messages->dismiss();
    clearRuns();
    m_plot->begin({});
    setAsk(m_ask);
}

void ComparePage::showError(const Error& error) {
    m_messages->showMessage(MessageBar::Kind::Error, toQString(error.sentence));
}

} // namespace maskscope
