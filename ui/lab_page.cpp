// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab_page.h"

#include "core/measure/sweep_story.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/message_bar.h"
#include "ui/refusals.h"
#include "ui/run_side.h"
#include "ui/size_planner.h"
#include "ui/sweep_form.h"
#include "ui/sweep_view.h"

#include <QDir>
#include <QFrame>
#include <QHideEvent>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace maskscope {

namespace {

constexpr double kUsable = 0.9; ///< of what is free, as a point's automatic limit

} // namespace

LabPage::LabPage(LabTools tools, QWidget* parent)
    : WindowPage(parent)
    , m_tools(std::move(tools))
    , m_messages(new MessageBar(this))
    , m_planner(new SizePlanner(this))
    , m_form(new SweepForm)
    , m_side(new RunSide(m_form, QStringLiteral("sweep"),
          {tr("Settings of the sweep"), tr("Measure every path over every size (Ctrl+Enter)"),
              tr("Stop and keep what was measured (Esc)"), tr("Progress of the sweep")},
          this))
    , m_view(new SweepView(m_tools, this))
    , m_job(m_tools.measure) {
    setObjectName(QStringLiteral("labPage"));
    m_messages->setObjectName(QStringLiteral("labMessages"));
    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_view, 1);
    column->addWidget(m_messages); // where it moves nothing that is about to be clicked
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(m_side);
    sides->addWidget(right);
    sides->setStretchFactor(1, 1);
    auto* rule = new QFrame(this);
    rule->setFrameShape(QFrame::HLine);
    rule->setForegroundRole(QPalette::Mid);
    rule->setFrameShadow(QFrame::Plain);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_planner);
    layout->addWidget(rule);
    layout->addWidget(sides, 1);
    connectJob();
    connectParts();
    foretell();
}

LabPage::~LabPage() = default;

void LabPage::connectJob() {
    connect(&m_job, &SweepJob::stateChanged, this, [this](SweepJob::State state) {
        m_side->setState(state);
        Q_EMIT stateChanged(state);
    });
    connect(&m_job, &SweepJob::began, this,
        [this](LayerPath path, std::int64_t patches, double fraction) {
            m_running = {path, patches};
            m_side->setProgress(fraction);
            m_side->setText(tr("Measuring %1 over %2 patches…")
                                .arg(toQString(nameOf(path)), countText(patches)));
            refresh();
        });
    connect(&m_job, &SweepJob::measured, this, [this](const SweepPoint& point) {
        m_record.points.push_back(point);
        refresh();
    });
    connect(&m_job, &SweepJob::refused, this, [this](const SweepEnd& end) {
        m_record.ends.push_back(end);
        tellRefusal(end);
        refresh();
    });
    connect(&m_job, &SweepJob::failed, this, &LabPage::showError);
    connect(&m_job, &SweepJob::ended, this, &LabPage::finish);
}

void LabPage::connectParts() {
    connect(m_side, &RunSide::runRequested, this, &LabPage::run);
    connect(m_side, &RunSide::stopRequested, this, &LabPage::stop);
    connect(m_form, &SweepForm::changed, this, &LabPage::foretell);
    connect(m_planner, &SizePlanner::pixelsChosen, this, &LabPage::pixelsChosen);
    connect(m_view, &SweepView::pointChosen, this, &LabPage::lookInto);
    connect(m_view, &SweepView::failed, this, &LabPage::showError);
    connect(m_view, &SweepView::written, this, [this](const QString& file) {
        showNote(tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
    });
    const Refusals* refusals = &m_view->refusals();
    connect(refusals, &Refusals::pathWanted, this, [this](LayerPath instead, LayerPath path) {
        SweepPlan plan = m_record.plan;
        std::replace(plan.paths.begin(), plan.paths.end(), instead, path);
        runWith(plan);
    });
    connect(refusals, &Refusals::sizesWanted, this, [this](const std::vector<std::int64_t>& sizes) {
        SweepPlan plan = m_record.plan;
        plan.patches = sizes;
        runWith(plan);
    });
}

void LabPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_side->focusButton();
    lookAtMachine();
}

void LabPage::hideEvent(QHideEvent* event) {
    WindowPage::hideEvent(event);
    if (!event->spontaneous()) // the whole window may only be minimised
        m_messages->dismissNote();
}

void LabPage::lookAtMachine() {
    m_background.dropWaiting();
    m_background.run(m_tools.describeMachine, [this](const MachineInfo& machine) {
        m_machine = machine;
        m_form->setCapabilities(machine.attention);
        m_view->setMachine(machine);
        m_planner->setMachine(machine);
        foretell();
    });
}

void LabPage::foretell() {
    const Result<SweepPlan> plan = m_form->plan();
    m_side->setReady(plan.ok() && m_tools.measure);
    if (m_job.state() != SweepJob::State::Idle)
        return;
    if (!plan) {
        m_side->setText(toQString(plan.error().sentence));
        return;
    }
    m_planner->setLayer(plan.value().point.shape, threadsOf(plan.value(), m_machine.threads));
    // Measured points stay until something else is measured.
    if (!m_record.points.empty() || !m_record.ends.empty())
        return;
    m_side->setText(
        tr("Dashed is what is predicted. Run measures it, each point in a process of its own."));
    m_record.plan = plan.value();
    refresh();
}

void LabPage::setModel(const ModelDescription& model) {
    m_planner->setModel(model);
    m_view->setModel(model);
}

void LabPage::setPicture(const std::shared_ptr<const Picture>& picture) {
    m_planner->setPicture(picture);
}

void LabPage::setRunPath(AttentionPath path) {
    m_planner->setRunPath(path);
}

void LabPage::run() {
    if (m_job.state() != SweepJob::State::Idle)
        return;
    const Result<SweepPlan> plan = m_form->plan();
    if (!plan) {
        m_messages->showMessage(MessageBar::Kind::Note, toQString(plan.error().sentence));
        return;
    }
    m_messages->dismiss();
    m_view->refusals().clear();
    m_record = {plan.value(), {}, {}, textOf(m_machine)};
    m_running.reset();
    m_side->setProgress(0);
    m_sinceStart.start();
    refresh();
    m_job.start(m_record.plan);
}

void LabPage::runWith(const SweepPlan& plan) {
    m_form->setPlan(plan);
    stop();
    if (m_job.state() == SweepJob::State::Idle)
        run();
    else
        connect(&m_job, &SweepJob::ended, this, &LabPage::run,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void LabPage::stop() {
    m_job.stop();
}

std::int64_t LabPage::limit() const {
    const auto free = m_machine.memoryFree.value_or(0);
    return m_record.plan.point.memoryLimit.value_or(
        static_cast<std::int64_t>(static_cast<double>(free) * kUsable));
}

void LabPage::lookInto(const SweepPlace& point) {
    const LayerShape shape = pointAt(m_record.plan, point.path, point.patches).shape;
    const SweepPoint* measured = pointOf(m_record, point.path, point.patches);
    Q_EMIT anatomyWanted(LayerAnatomyQuestion{shape, m_record.plan.point.threads},
        tr("%1 over %2 patches: the peak")
            .arg(toQString(nameOf(point.path)), countText(point.patches)),
        measured ? measured->figures.ms : 0);
}

void LabPage::tellRefusal(const SweepEnd& end) {
    std::optional<LayerPath> other;
    const auto& paths = m_record.plan.paths;
    for (const LayerPath path : {LayerPath::Flash, LayerPath::Sdpa})
        if (materialises(end.path) && m_form->offers(path)
            && std::find(paths.begin(), paths.end(), path) == paths.end())
            other = path;
    std::vector<std::int64_t> fitting;
    for (const std::int64_t patches : sizesOf(m_record.plan)) {
        const LayerPoint point = pointAt(m_record.plan, end.path, patches);
        if (patches < end.patches
            && layerPeakBytes(point.shape, threadsOf(m_record.plan, m_machine.threads)) <= limit())
            fitting.push_back(patches);
    }
    m_view->refusals().add(end, other, fitting);
}

void LabPage::finish() {
    m_running.reset();
    const auto count = static_cast<qsizetype>(m_record.points.size());
    const auto planned
        = static_cast<qsizetype>(m_record.plan.paths.size() * sizesOf(m_record.plan).size());
    const QString time = durationText(static_cast<double>(m_sinceStart.elapsed()));
    QStringList lines{count == planned
            ? tr("%1 points in %2").arg(count).arg(time)
            : tr("%1 of %2 points in %3").arg(count).arg(planned).arg(time)};
    if (const auto story = storyOf(m_record); !story.empty())
        lines += toQString(story.front());
    m_side->setText(lines.join(u'\n'));
    refresh();
    lookAtMachine();
}

void LabPage::refresh() {
    m_view->setRecord(m_record, m_running);
}

void LabPage::showError(const Error& error) {
    m_messages->showMessage(MessageBar::Kind::Error, toQString(error.sentence));
}

void LabPage::showNote(const QString& sentence) {
    m_messages->showMessage(MessageBar::Kind::Note, sentence);
}

} // namespace maskscope
