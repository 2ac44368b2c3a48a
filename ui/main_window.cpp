// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/about.h"
#include "ui/anatomy_dialog.h"
#include "ui/answer_view.h"
#include "ui/canvas.h"
#include "ui/compare_page.h"
#include "ui/compose.h"
#include "ui/convert.h"
#include "ui/icons.h"
#include "ui/image_panel.h"
#include "ui/lab_page.h"
#include "ui/mask_list.h"
#include "ui/memory_panel.h"
#include "ui/message_bar.h"
#include "ui/pages.h"
#include "ui/panels.h"
#include "ui/past_runs.h"
#include "ui/prompt_bar.h"
#include "ui/request_edit.h"
#include "ui/run_display.h"
#include "ui/run_panel.h"
#include "ui/start_page.h"
#include "ui/status_line.h"
#include "ui/tool_bar.h"
#include "ui/workspace.h"

#include <QAction>
#include <QCloseEvent>
#include <QDockWidget>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QTimer>
#include <utility>

namespace maskscope {

namespace {

constexpr int kLongestCloseMs = 2000;
constexpr QSize kFirstSize(1280, 800);

} // namespace

MainWindow::MainWindow(
    Session& session, Settings& settings, ThemeSwitch& theme, const WindowTools& tools)
    : m_session(session)
    , m_settings(settings)
    , m_theme(theme)
    , m_reader(tools.readImage)
    , m_actions(*this)
    , m_images(new OpenImages(m_reader, this))
    , m_writer(new MaskWriter(tools.exportMasks, this))
    , m_opener(new Opener(settings, *m_images, this))
    , m_pages(new Pages(*this, m_actions))
    , m_workspace(new Workspace(m_masks, m_reader))
    , m_lab(new LabPage(tools.lab))
    , m_compare(new ComparePage(tools.compare))
    , m_imagePanel(new ImagePanel(*m_images))
    , m_answer(new AnswerView(m_masks))
    , m_list(new MaskList(m_masks))
    , m_runPanel(new RunPanel)
    , m_memory(new MemoryPanel)
    , m_status(new StatusLine(this))
    , m_display(new RunDisplay(session, *m_answer, m_masks, *m_memory, *m_status, this))
    , m_tools(new ToolBar(m_actions, this))
    , m_anatomy(new AnatomyDialog(tools.anatomy.take, this)) {
    setWindowTitle(tr("Maskscope"));
    setWindowIcon(applicationIcon());
    setAcceptDrops(true);
    m_pages->addPage(m_workspace);
    m_pages->addPage(m_lab);
    m_pages->addPage(m_compare);
    setCentralWidget(m_pages);
    setStatusBar(m_status);
    addToolBar(m_tools);
    dockPanels(*this, {m_imagePanel, m_answer, m_list, m_runPanel, m_memory}, *m_actions.panels);
    connectActions();
    connectViewActions();
    connectOpener();
    connectImages();
    connectWork();
    connectWorkspace();
    connectSession();
    connectLab();
    connectCompare();
    connectAnatomy(tools.anatomy.model);
    restore();
}

MainWindow::~MainWindow() {
    // All these refer to the masks, which as a member go before a widget's children do.
    delete m_pastRuns;
    delete m_display;
    delete m_workspace;
    qDeleteAll(findChildren<QDockWidget*>());
}

void MainWindow::restore() {
    m_runPanel->setSettings(m_settings.runSettings());
    m_workspace->promptBar().edit().setHistory(m_settings.requestHistory());
    m_workspace->promptBar().setRunEnabled(true);
    m_actions.runAtOnce->setChecked(m_settings.promptRun() == PromptRun::AtOnce);
    m_actions.outlineMasks->setChecked(m_settings.maskStyle() == MaskStyle::Outlined);
    m_actions.pixelGrid->setChecked(m_settings.pixelGrid() == PixelGrid::Shown);
    m_workspace->canvas().setPixelGrid(m_settings.pixelGrid());
    m_actions.setTheme(m_settings.theme());
    m_actions.setTool(m_workspace->tool());
    m_tools->setOpacity(m_settings.maskOpacity());
    m_workspace->canvas().setMaskOpacity(m_settings.maskOpacity());
    m_memory->setWeights(m_settings.weights());
    m_status->showReady(tr("Ready"));
    updateRecentFiles();
    updateActions();
    resize(kFirstSize.boundedTo(screen()->availableSize()));
    restoreGeometry(m_settings.windowGeometry());
    restoreState(m_settings.windowState());
}

void MainWindow::connectActions() {
    connect(m_actions.open, &QAction::triggered, m_opener, &Opener::chooseFiles);
    connect(m_actions.openFolder, &QAction::triggered, m_opener, &Opener::chooseFolder);
    connect(m_actions.paste, &QAction::triggered, m_opener, &Opener::openClipboard);
    connect(&m_actions, &Actions::recentChosen, m_opener, &Opener::openPath);
    connect(&m_actions, &Actions::exampleChosen, this, &MainWindow::openExample);
    connect(m_actions.clearRecent, &QAction::triggered, m_opener, &Opener::clearRecentFiles);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(&m_actions, &Actions::toolChosen, m_workspace, &Workspace::setTool);
    connect(m_actions.editRequest, &QAction::triggered, this, [this] {
        m_actions.words->trigger();
        m_workspace->editRequest();
    });
    connect(m_actions.nextMeaning, &QAction::triggered, this, [this] {
        m_workspace->takeNextMeaning();
        run();
    });
    connect(m_actions.run, &QAction::triggered, this, [this] { m_pages->current().run(); });
    connect(m_actions.stop, &QAction::triggered, this, [this] { m_pages->current().stop(); });
    connect(m_actions.runAtOnce, &QAction::toggled, this, [this](bool on) {
        m_settings.setPromptRun(on ? PromptRun::AtOnce : PromptRun::OnRequest);
    });
    connect(m_actions.about, &QAction::triggered, this, [this] {
        auto* dialog = new AboutDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
}

void MainWindow::connectViewActions() {
    Canvas& canvas = m_workspace->canvas();
    connect(&canvas, &Canvas::scaleChanged, this, [this](double scale) {
        if (m_workspace->picture())
            m_tools->showScale(scale);
    });
    connect(m_actions.zoomIn, &QAction::triggered, &canvas, &Canvas::zoomIn);
    connect(m_actions.zoomOut, &QAction::triggered, &canvas, &Canvas::zoomOut);
    connect(m_actions.fit, &QAction::triggered, &canvas, &Canvas::fit);
    connect(m_actions.actualSize, &QAction::triggered, &canvas, &Canvas::showActualSize);
    connect(m_actions.hideMasks, &QAction::triggered, this, [this](bool hide) {
        m_masks.setAllVisible(hide ? Visibility::Hidden : Visibility::Shown);
    });
    connect(&m_masks, &MaskModel::appearanceChanged, this, &MainWindow::updateActions);
    connect(m_actions.outlineMasks, &QAction::toggled, this, [this](bool on) {
        const MaskStyle style = on ? MaskStyle::Outlined : MaskStyle::Filled;
        m_workspace->canvas().setMaskStyle(style);
        m_settings.setMaskStyle(style);
    });
    connect(m_actions.pixelGrid, &QAction::toggled, this, [this](bool on) {
        const PixelGrid grid = on ? PixelGrid::Shown : PixelGrid::Hidden;
        m_workspace->canvas().setPixelGrid(grid);
        m_settings.setPixelGrid(grid);
    });
    connect(m_tools, &ToolBar::opacityChanged, this, [this](int percent) {
        m_workspace->canvas().setMaskOpacity(percent);
        m_settings.setMaskOpacity(percent);
    });
    connect(&m_actions, &Actions::themeChosen, this, [this](Theme theme) {
        m_settings.setTheme(theme);
        m_theme.apply(theme);
    });
    connect(m_actions.fullScreen, &QAction::toggled, this,
        [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
}

void MainWindow::connectWorkspace() {
    connect(m_workspace, &Workspace::promptsChanged, this, &MainWindow::updateActions);
    connect(m_workspace, &Workspace::promptPlaced, this, [this] {
        recordEndedRun();
        record(WorkStep::Kind::Prompt, m_workspace->tool() == Tool::Box ? tr("box") : tr("point"));
        if (m_settings.promptRun() == PromptRun::AtOnce)
            run();
    });
    PromptBar& bar = m_workspace->promptBar();
    connect(m_workspace, &Workspace::runRequested, this, &MainWindow::run);
    connect(m_workspace, &Workspace::stopRequested, &m_session, &Session::stop);
    connect(&bar.edit(), &RequestEdit::imagePasted, m_opener, &Opener::openClipboard);
    connect(&m_workspace->canvas(), &Canvas::maskClicked, &m_masks, &MaskModel::select);
    connect(&m_workspace->canvas(), &Canvas::maskHovered, &m_masks, &MaskModel::setHovered);
    connect(m_memory, &MemoryPanel::weightsChanged, this,
        [this](Weights weights) { m_settings.setWeights(weights); });
    connect(m_runPanel, &RunPanel::changed, this,
        [this] { m_settings.setRunSettings(m_runPanel->settings()); });
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::stateChanged, m_workspace, &Workspace::setState);
    connect(&m_session, &Session::modelLoaded, this, [this](const ModelDescription& description) {
        m_model = description;
        m_runPanel->setCapabilities(description.attention);
        m_lab->setModel(description);
        m_runPanel->setMostPixels(description.info.mostPixels);
        m_runPanel->setTrainingPixels(description.info.trainingPixels);
    });
    connect(&m_session, &Session::loadFailed, this, &MainWindow::showError);
    connect(&m_session, &Session::loadEnded, this, [this] {
        if (m_session.state() == Session::State::Idle)
            m_status->showReady(m_model.info.name.empty()
                    ? tr("Ready")
                    : tr("Ready · model %1").arg(toQString(m_model.info.name)));
    });
    connect(&m_session, &Session::runStarted, &m_workspace->messages(), &MessageBar::dismiss);
    connect(
        &m_session, &Session::finished, this, [this](const std::shared_ptr<const Report>& report) {
            std::vector<int> meanings;
            for (const auto& mask : report->candidates)
                meanings.push_back(mask->index);
            m_workspace->setMeanings(std::move(meanings));
            updateActions();
        });
    connect(&m_session, &Session::idle, this, [this] {
        if (m_closing)
            close();
    });
    connect(m_display, &RunDisplay::failed, this, &MainWindow::showRunError);
    connect(m_display, &RunDisplay::ended, this, &MainWindow::updateActions);
    connect(m_display, &RunDisplay::ended, this, &MainWindow::runEnded);
}

void MainWindow::setExamples(const std::vector<Example>& examples) {
    m_workspace->startPage().setExamples(examples);
    m_actions.setExamples(examples);
}

void MainWindow::openFile(const QString& path) {
    m_opener->openPath(path);
}

void MainWindow::openExample(const Example& example) {
    m_actions.words->trigger();
    setRequest(example.request);
    openFile(example.image);
    runWhenOpen();
}

void MainWindow::setRequest(const QString& words) {
    m_workspace->promptBar().setWords(words);
}

void MainWindow::runWhenOpen() {
    if (m_opener->isBusy())
        m_runWhenOpen = true;
    else
        run();
}

void MainWindow::run() {
    Result<Request> request = composeRequest(m_workspace->ask(m_runPanel->settings()));
    if (!request) {
        m_workspace->messages().showMessage(
            MessageBar::Kind::Note, toQString(request.error().sentence));
        return;
    }
    if (m_pastRuns && !m_pastRuns->prepare(request.value().settings))
        return;
    m_settings.addRequest(toQString(request.value().text));
    m_workspace->promptBar().edit().setHistory(m_settings.requestHistory());
    m_workspace->promptBar().edit().forgetTyping();
    m_asked = request.value().settings;
    m_step = describe(request.value());
    m_session.submit(std::move(request).value());
}

void MainWindow::updateActions() {
    const bool hasPrompts = !m_workspace->prompts().isEmpty();
    const Page page = m_pages->page();
    m_actions.apply({page, m_workspace->picture() != nullptr, m_images->neighbour(1).has_value(),
        m_images->neighbour(-1).has_value(), m_images->model().rowCount() > 0, hasPrompts,
        m_workspace->hasMeanings(), m_masks.rowCount() > 0,
        showsOpenImage() && m_masks.selected().has_value(), m_steps.canUndo(), m_steps.canRedo(),
        m_memory->hasPeak(), m_pages->current().state()});
    m_actions.hideMasks->setChecked(m_masks.rowCount() > 0 && !m_masks.isAnyShown());
}

void MainWindow::updateRecentFiles() {
    m_actions.setRecentFiles(m_settings.recentFiles());
    m_workspace->startPage().setRecentFiles(m_settings.recentFiles());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_closing && !mayClose()) {
        event->ignore();
        return;
    }
    if (!m_closing)
        m_settings.setWindow(saveGeometry(), m_pages->layoutState());
    const bool waited = m_closing;
    if (m_session.isBusy() && !waited) {
        m_closing = true;
        m_session.abandon();
        m_status->showReady(tr("Stopping…"));
        setEnabled(false);
        QTimer::singleShot(kLongestCloseMs, this, &QWidget::close);
        event->ignore();
        return;
    }
    m_settings.save();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (holdsImage(*event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const IncomingImage incoming = imageIn(*event->mimeData());
    if (incoming.isEmpty())
        return;
    event->acceptProposedAction();
    m_opener->open(incoming);
}

} // namespace maskscope
