// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.h"

#include "ui/icons.h"

#include <QActionGroup>
#include <QDir>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>

namespace maskscope {

Actions::Actions(QMainWindow& window)
    : QObject(&window)
    , m_window(window)
    , m_pages(new QActionGroup(this))
    , m_tools(new QActionGroup(this))
    , m_themes(new QActionGroup(this)) {
    QMenuBar* bar = window.menuBar();
    fillFileMenu(bar->addMenu(tr("&File")));
    fillEditMenu(bar->addMenu(tr("&Edit")));
    fillViewMenu(bar->addMenu(tr("&View")));
    fillRunMenu(bar->addMenu(tr("&Run")));
    about = add(bar->addMenu(tr("&Help")), tr("&About Maskscope"), {}, {});
    about->setMenuRole(QAction::AboutRole);
}

QAction* Actions::add(QMenu* menu, const QString& text, const QString& iconName,
    const QList<QKeySequence>& shortcuts) {
    QAction* action = menu->addAction(text);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    action->setShortcuts(shortcuts);
    if (!shortcuts.isEmpty())
        action->setToolTip(QStringLiteral("%1 (%2)").arg(
            QString(text).remove(u'&'), shortcuts.first().toString(QKeySequence::NativeText)));
    return action;
}

QAction* Actions::addStep(
    QMenu* menu, const QString& text, Qt::Key letter, const QKeySequence& everywhere) {
    QAction* action = add(menu, text, {}, {QKeySequence(letter)});
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(QStringLiteral("%1 (%2, %3)")
                           .arg(QString(text).remove(u'&'),
                               QKeySequence(letter).toString(QKeySequence::NativeText),
                               everywhere.toString(QKeySequence::NativeText)));
    auto* shortcut = new QShortcut(everywhere, &m_window);
    connect(shortcut, &QShortcut::activated, action, &QAction::trigger);
    return action;
}

QAction* Actions::addPage(QMenu* menu, Page page, const QString& text, const QString& iconName,
    const QKeySequence& shortcut) {
    QAction* action = add(menu, text, iconName, {shortcut});
    action->setCheckable(true);
    action->setData(static_cast<int>(page));
    m_pages->addAction(action);
    connect(action, &QAction::triggered, this, [this, page] { Q_EMIT pageChosen(page); });
    return action;
}

QAction* Actions::addTool(QMenu* menu, Tool tool, const QString& text, const QString& iconName,
    const QKeySequence& shortcut) {
    QAction* action = add(menu, text, iconName, {shortcut});
    action->setCheckable(true);
    action->setData(static_cast<int>(tool));
    m_tools->addAction(action);
    connect(action, &QAction::triggered, this, [this, tool] { Q_EMIT toolChosen(tool); });
    return action;
}

QAction* Actions::addTheme(QMenu* menu, Theme theme, const QString& text) {
    QAction* action = add(menu, text, {}, {});
    action->setCheckable(true);
    action->setData(static_cast<int>(theme));
    m_themes->addAction(action);
    connect(action, &QAction::triggered, this, [this, theme] { Q_EMIT themeChosen(theme); });
    return action;
}

void Actions::fillFileMenu(QMenu* menu) {
    open = add(menu, tr("&Open images…"), QStringLiteral("open"), {QKeySequence::Open});
    open->setIconText(tr("Open"));
    openFolder = add(menu, tr("Open a &folder…"), {}, {QKeySequence(tr("Ctrl+U"))});
    m_recent = menu->addMenu(tr("Open &recent"));
    m_examples = menu->addMenu(tr("Try an &example"));
    m_examples->setEnabled(false);
    clearRecent = new QAction(tr("&Clear the list"), this);
    paste = add(menu, tr("&Paste an image"), {}, {QKeySequence::Paste});
    exportObjects = add(menu, tr("&Export the objects…"), {}, {QKeySequence(tr("Ctrl+Shift+X"))});
    menu->addSeparator();
    nextImage = addStep(menu, tr("&Next image"), Qt::Key_D, QKeySequence(tr("Ctrl+Shift+D")));
    previousImage
        = addStep(menu, tr("Pre&vious image"), Qt::Key_A, QKeySequence(tr("Ctrl+Shift+A")));
    closeImage = add(menu, tr("Close the &image"), {}, {QKeySequence(tr("Ctrl+W"))});
    closeImages = add(menu, tr("C&lose all images"), {}, {QKeySequence(tr("Ctrl+Shift+W"))});
    menu->addSeparator();
    quit = add(menu, tr("&Quit"), {}, {QKeySequence(tr("Ctrl+Q"))});
    quit->setMenuRole(QAction::QuitRole);
}

void Actions::fillEditMenu(QMenu* menu) {
    undo = add(menu, {}, {}, {QKeySequence(tr("Ctrl+Z"))});
    redo = add(menu, {}, {}, {QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    setSteps({}, {});
    menu->addSeparator();
    deleteObject = add(menu, tr("&Delete the object"), {},
        {QKeySequence(Qt::Key_Delete), QKeySequence(Qt::Key_Backspace)});
    deleteObject->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    clearPrompts
        = add(menu, tr("&Next object"), QStringLiteral("clear"), {QKeySequence(Qt::Key_Escape)});
    clearPrompts->setToolTip(
        tr("Keeps what is there; the next points and boxes are another object's (%1)")
            .arg(QKeySequence(Qt::Key_Escape).toString(QKeySequence::NativeText)));
    nextMeaning = add(menu, tr("Another &meaning of the click"), {}, {QKeySequence(tr("Ctrl+M"))});
    menu->addSeparator();
    words = addTool(menu, Tool::Words, tr("Ask by &words"), QStringLiteral("words"),
        QKeySequence(tr("Ctrl+1")));
    points = addTool(menu, Tool::Points, tr("Ask by &points"), QStringLiteral("points"),
        QKeySequence(tr("Ctrl+2")));
    box = addTool(
        menu, Tool::Box, tr("Ask by &box"), QStringLiteral("box"), QKeySequence(tr("Ctrl+3")));
    words->setIconText(tr("Words"));
    points->setIconText(tr("Points"));
    box->setIconText(tr("Box"));
    menu->addSeparator();
    editRequest = add(menu, tr("&Edit the request"), {}, {QKeySequence(tr("Ctrl+L"))});
}

void Actions::fillViewMenu(QMenu* menu) {
    segmentPage = addPage(menu, Page::Segment, tr("&Segment images"), QStringLiteral("segment"),
        QKeySequence(Qt::Key_F2));
    labPage = addPage(
        menu, Page::Lab, tr("Memory &lab"), QStringLiteral("lab"), QKeySequence(Qt::Key_F3));
    comparePage = addPage(menu, Page::Compare, tr("&Compare runs"), QStringLiteral("compare"),
        QKeySequence(Qt::Key_F4));
    comparePage->setShortcuts({QKeySequence(Qt::Key_F4), QKeySequence(tr("Ctrl+Alt+C"))});
    comparePage->setIconText(tr("Compare"));
    segmentPage->setIconText(tr("Segment"));
    labPage->setIconText(tr("Lab"));
    menu->addSeparator();
    zoomIn = add(menu, tr("Zoom &in"), QStringLiteral("zoom-in"),
        {QKeySequence(tr("Ctrl++")), QKeySequence(tr("Ctrl+="))});
    zoomOut = add(menu, tr("Zoom &out"), QStringLiteral("zoom-out"), {QKeySequence(tr("Ctrl+-"))});
    fit = add(menu, tr("&Fit to the window"), QStringLiteral("fit"), {QKeySequence(tr("Ctrl+F"))});
    actualSize
        = add(menu, tr("&Actual size"), QStringLiteral("actual"), {QKeySequence(tr("Ctrl+0"))});
    pixelGrid = add(menu, tr("Pi&xel grid"), {}, {QKeySequence(tr("Ctrl+G"))});
    pixelGrid->setCheckable(true);
    pixelGrid->setToolTip(tr("Lines between the pixels of the image, once these are large"));
    menu->addSeparator();
    hideMasks
        = add(menu, tr("&Hide all masks"), QStringLiteral("eye"), {QKeySequence(tr("Ctrl+H"))});
    hideMasks->setCheckable(true);
    outlineMasks = add(
        menu, tr("Masks as ou&tlines"), QStringLiteral("outline"), {QKeySequence(tr("Ctrl+T"))});
    outlineMasks->setCheckable(true);
    menu->addSeparator();
    history = add(menu, tr("Histor&y of runs…"), {}, {QKeySequence(tr("Ctrl+Shift+H"))});
    history->setEnabled(false); // until there is one
    panels = menu->addMenu(tr("&Panels"));
    QMenu* themes = menu->addMenu(tr("T&heme"));
    addTheme(themes, Theme::System, tr("&System"));
    addTheme(themes, Theme::Light, tr("&Light"));
    addTheme(themes, Theme::Dark, tr("&Dark"));
    fullScreen = add(menu, tr("F&ull screen"), {}, {QKeySequence(Qt::Key_F11)});
    fullScreen->setCheckable(true);
}

void Actions::fillRunMenu(QMenu* menu) {
    run = add(menu, tr("&Run"), QStringLiteral("run"),
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
    stop = add(menu, tr("&Stop"), QStringLiteral("stop"), {QKeySequence(Qt::Key_Escape)});
    peak = add(menu, tr("What is in the &peak…"), {}, {QKeySequence(tr("Ctrl+Shift+P"))});
    menu->addSeparator();
    runAtOnce = add(menu, tr("Run &at once when a point or box is placed"), {}, {});
    runAtOnce->setCheckable(true);
    keepRuns = add(menu, tr("&Keep runs in the history"), {}, {});
    keepRuns->setCheckable(true);
    keepRuns->setEnabled(false);
}

void Actions::apply(const WindowState& state) {
    const bool idle = state.run == Session::State::Idle;
    run->setEnabled(idle);
    // Escape belongs to one of the two at any time.
    stop->setEnabled(state.run == Session::State::Running);
    const bool segments = state.page == Page::Segment;
    clearPrompts->setEnabled(segments && idle && state.hasPrompts);
    undo->setEnabled(segments && idle && state.canUndo);
    redo->setEnabled(segments && idle && state.canRedo);
    deleteObject->setEnabled(segments && idle && state.hasSelected);
    nextMeaning->setEnabled(segments && idle && state.hasMeanings);
    for (QAction* action : {words, points, box, editRequest, pixelGrid, outlineMasks})
        action->setEnabled(segments);
    for (QAction* action : {zoomIn, zoomOut, fit, actualSize})
        action->setEnabled(segments && state.hasImage);
    nextImage->setEnabled(segments && state.hasNextImage);
    previousImage->setEnabled(segments && state.hasPreviousImage);
    closeImage->setEnabled(segments && state.hasImage);
    closeImages->setEnabled(segments && state.hasImageList);
    exportObjects->setEnabled(segments && idle && state.hasMasks);
    hideMasks->setEnabled(segments && state.hasMasks);
    peak->setEnabled(segments && state.hasPeak);
}

void Actions::setImageWidgets(const QList<QWidget*>& widgets) {
    for (QWidget* widget : widgets)
        widget->addActions({nextImage, previousImage});
}

void Actions::setObjectWidgets(const QList<QWidget*>& widgets) {
    for (QWidget* widget : widgets)
        widget->addAction(deleteObject);
}

void Actions::setSteps(const QString& undone, const QString& redone) {
    const auto shown = [](QString step) { return step.replace(u'&', QStringLiteral("&&")); };
    undo->setText(undone.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(shown(undone)));
    redo->setText(redone.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(shown(redone)));
}

void Actions::setPage(Page page) {
    for (QAction* action : m_pages->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(page));
}

void Actions::setTool(Tool tool) {
    for (QAction* action : m_tools->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(tool));
}

void Actions::setTheme(Theme theme) {
    for (QAction* action : m_themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(theme));
}

void Actions::setRecentFiles(const QStringList& files) {
    m_recent->clear();
    for (const QString& path : files) {
        QString shown = QDir::toNativeSeparators(path);
        QAction* action = m_recent->addAction(shown.replace(u'&', QStringLiteral("&&")));
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT recentChosen(path); });
    }
    m_recent->addSeparator();
    m_recent->addAction(clearRecent);
    m_recent->setEnabled(!files.isEmpty());
}

void Actions::setExamples(const std::vector<Example>& examples) {
    m_examples->clear();
    for (const Example& example : examples) {
        QString shown = QStringLiteral("%1 – %2").arg(
            QFileInfo(example.image).completeBaseName(), example.request);
        QAction* action = m_examples->addAction(shown.replace(u'&', QStringLiteral("&&")));
        connect(
            action, &QAction::triggered, this, [this, example] { Q_EMIT exampleChosen(example); });
    }
    m_examples->setEnabled(!examples.empty());
}

} // namespace maskscope
