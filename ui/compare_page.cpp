// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_page.h"

#include "core/memory/process.h"
#include "ui/compare_form.h"
#include "ui/compare_plot.h"
#include "ui/compare_results.h"
#include "ui/compare_row.h"
#include "ui/convert.h"
#include "ui/message_bar.h"
#include "ui/remedies.h"
#include "ui/run_button.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

namespace maskscope {

namespace {

constexpr int kProgressSteps = 1000;

struct Format {
    const char* ending;
    const char* title;
};

constexpr std::array kFormats{
    Format{"html", QT_TRANSLATE_NOOP("maskscope::ComparePage", "Report as &HTML…")},
    Format{"md", QT_TRANSLATE_NOOP("maskscope::ComparePage", "Text of a &change request…")},
    Format{"json", QT_TRANSLATE_NOOP("maskscope::ComparePage", "Figures as &JSON…")},
    Format{"svg", QT_TRANSLATE_NOOP("maskscope::ComparePage", "Memory curves as &SVG…")},
};

QLabel* sideLabel(const char* name, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

} // namespace

ComparePage::ComparePage(CompareTools tools, QWidget* parent)
    : QWidget(parent)
    , m_tools(std::move(tools))
    , m_messages(new MessageBar(this))
    , m_form(new CompareForm)
    , m_run(new RunButton(tr("Run all configurations, one after the other (Ctrl+Return)"),
          tr("Stop; nothing is shown of a comparison that is not complete (Esc)"), this))
    , m_what(sideLabel("compareQuestion", this))
    , m_text(sideLabel("compareText", this))
    , m_progress(new QProgressBar(this))
    , m_plot(new ComparePlot)
    , m_results(new CompareResults)
    , m_job(m_tools.run) {
    setObjectName(QStringLiteral("comparePage"));
    m_messages->setObjectName(QStringLiteral("compareMessages"));
    auto* drawing = new QWidget;
    auto* difference = new QCheckBox(tr("D&ifference line"), drawing);
    difference->setObjectName(QStringLiteral("differenceLine"));
    difference->setToolTip(tr("Draws the second configuration's memory minus the first's"));
    connect(difference, &QCheckBox::toggled, m_plot, [this](bool on) {
        m_plot->setDifference(on ? DifferenceLine::Shown : DifferenceLine::Hidden);
    });
    m_peaks = makePeaks();
    m_export = makeExport();
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(10, 4, 10, 2);
    choices->addWidget(difference);
    choices->addStretch(1);
    choices->addWidget(m_peaks);
    choices->addWidget(m_export);
    auto* column = new QVBoxLayout(drawing);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(choices);
    column->addWidget(m_plot, 1);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(drawing);
    halves->addWidget(m_results);
    auto* sides = new QSplitter(Qt::Horizontal, this);
    sides->setChildrenCollapsible(false);
    sides->addWidget(makeSide());
    sides->addWidget(halves);
    sides->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_messages);
    layout->addWidget(sides, 1);
    connectJob();
    setAsk({});
}

ComparePage::~ComparePage() = default;

QWidget* ComparePage::makeSide() {
    auto* side = new QWidget(this);
    auto* scroll = new QScrollArea(side);
    scroll->setAccessibleName(tr("Configurations"));
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_form);
    scroll->setMinimumWidth(m_form->minimumSizeHint().width() + 20);
    m_run->setObjectName(QStringLiteral("compareButton"));
    m_progress->setAccessibleName(tr("Progress of the comparison"));
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->hide();
    auto* start = new QVBoxLayout;
    start->setContentsMargins(12, 0, 12, 0);
    start->addWidget(m_what);
    start->addWidget(m_run);
    start->addWidget(m_progress);
    start->addWidget(m_text);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 8);
    layout->setSpacing(6);
    layout->addWidget(scroll, 1);
    layout->addLayout(start);
    return side;
}

QToolButton* ComparePage::makeExport() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("compareExport"));
    button->setText(tr("E&xport"));
    button->setToolTip(tr("Write the comparison into a file"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setEnabled(false);
    auto* menu = new QMenu(button);
    for (const Format& format : kFormats) {
        const QString ending = QString::fromLatin1(format.ending);
        connect(menu->addAction(tr(format.title)), &QAction::triggered, this,
            [this, ending] { chooseFile(ending); });
    }
    button->setMenu(menu);
    return button;
}

QToolButton* ComparePage::makePeaks() {
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("comparePeaks"));
    button->setText(tr("What is in the &peak of"));
    button->setToolTip(tr("Every tensor that was alive at the highest moment; a click on a curve "
                          "looks into another moment"));
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setEnabled(false);
    button->setMenu(new QMenu(button));
    return button;
}

void ComparePage::fillPeaks() {
    m_peaks->menu()->clear();
    m_peaks->setEnabled(m_compared != nullptr);
    if (!m_compared)
        return;
    for (std::size_t i = 0; i < m_compared->size(); ++i) {
        QString title = toQString((*m_compared)[i].header.title);
        QAction* action = m_peaks->menu()->addAction(title.replace(u'&', QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, i] { lookIntoPeak(int(i)); });
    }
}

void ComparePage::lookInto(
    int configuration, const std::function<AnatomyMoment(const RunCurve&)>& moment) {
    if (!m_compared)
        return;
    const ComparedRuns& runs = (*m_compared)[std::size_t(configuration)];
    if (runs.header.image.path.empty()) {
        m_messages->showMessage(MessageBar::Kind::Note,
            tr("The picture of this run was not a file, so that it cannot be run again."));
        return;
    }
    const RunCurve curve = curveOf(runs.first());
    if (curve.series.isEmpty())
        return;
    const AnatomyMoment at = moment(curve);
    Q_EMIT anatomyWanted(RunAnatomyQuestion{runs.header, at},
        tr("%1: %2").arg(toQString(runs.header.title), textOf(at)));
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
    connect(m_run, &RunButton::runRequested, this, &ComparePage::run);
    connect(m_run, &RunButton::stopRequested, this, &ComparePage::stop);
    connect(&m_job, &CompareJob::stateChanged, this, [this](CompareJob::State state) {
        m_run->setState(state);
        m_form->setEnabled(state == CompareJob::State::Idle);
        m_progress->setVisible(state != CompareJob::State::Idle);
        Q_EMIT stateChanged(state);
    });
    connect(
        &m_job, &CompareJob::began, this, [this](int configuration, int repeat, double fraction) {
            m_progress->setValue(static_cast<int>(fraction * kProgressSteps));
            m_text->setText(
                tr("Running configuration %1, repeat %2…").arg(configuration + 1).arg(repeat + 1));
        });
    connect(&m_job, &CompareJob::memoryArrived, m_plot, &ComparePlot::add);
    connect(&m_job, &CompareJob::failed, this, &ComparePage::showError);
    connect(&m_job, &CompareJob::compared, this,
        [this](const std::shared_ptr<const std::vector<ComparedRuns>>& compared) {
            m_text->setText(tr("Each run had a process of its own."));
            showRuns(compared, m_picture);
            offerRemedies();
        });
    connect(&m_job, &CompareJob::ended, this, [this] {
        if (!m_compared)
            m_text->setText(tr("Stopped."));
    });
}

void ComparePage::setAsk(const Ask& ask) {
    m_ask = ask;
    const Result<Request> request = composeRequest(ask);
    m_what->setText(request ? tr("Request: %1").arg(describe(request.value()))
                            : toQString(request.error().sentence));
    m_run->setReady(request.ok() && m_tools.run);
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

Result<RunHeader> ComparePage::question() {
    const Result<Request> request = composeRequest(m_ask);
    if (!request)
        return request.error();
    return m_question.of(request.value(), *m_ask.picture, m_tools.model);
}

void ComparePage::run() {
    if (m_job.state() != CompareJob::State::Idle)
        return;
    const Result<RunHeader> header = question();
    if (!header) {
        m_messages->showMessage(MessageBar::Kind::Note, toQString(header.error().sentence));
        return;
    }
    m_messages->dismiss();
    m_picture = m_ask.picture;
    m_results->clear();
    m_compared.reset();
    m_export->setEnabled(false);
    fillPeaks();
    const ComparisonPlan plan = m_form->plan(header.value());
    QStringList titles;
    for (const RunHeader& configuration : plan.configurations)
        titles += toQString(configuration.title);
    m_plot->begin(titles);
    m_progress->setValue(0);
    m_job.start(plan);
}

void ComparePage::stop() {
    m_job.stop();
}

void ComparePage::showRuns(const std::shared_ptr<const std::vector<ComparedRuns>>& compared,
    const std::shared_ptr<const Picture>& picture) {
    m_compared = compared;
    m_picture = picture;
    m_export->setEnabled(static_cast<bool>(m_tools.write));
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
        if (const MemorySample* peak = curve.series.peak())
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
    m_text->setText(tr("Two runs of the history."));
    showRuns(pair.runs, pair.scene.picture);
    if (!pair.note.isEmpty())
        m_messages->showMessage(MessageBar::Kind::Note, pair.note);
}

void ComparePage::chooseFile(const QString& ending) {
    auto* dialog = new QFileDialog(window(), tr("Export the comparison"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("%1 (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(QStringLiteral("comparison.") + ending);
    connect(dialog, &QFileDialog::fileSelected, this, &ComparePage::writeTo);
    dialog->open();
}

void ComparePage::writeTo(const QString& file) {
    const auto write = [compared = m_compared, image = m_picture->image, path = toPath(file),
                           write = m_tools.write]() -> std::optional<Error> {
        try {
            write(*compared, *image, path);
            return std::nullopt;
        } catch (...) {
            return errorOf(std::current_exception());
        }
    };
    m_background.run(write, [this, file](const std::optional<Error>& error) {
        if (error)
            showError(*error);
        else
            m_messages->showMessage(
                MessageBar::Kind::Note, tr("Wrote %1").arg(QDir::toNativeSeparators(file)));
    });
}

void ComparePage::showError(const Error& error) {
    m_messages->showMessage(MessageBar::Kind::Error, toQString(error.sentence));
}

} // namespace maskscope
