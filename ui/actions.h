// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compose.h"
#include "ui/examples.h"
#include "ui/session.h"
#include "ui/settings.h"

#include <QObject>
#include <vector>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace maskscope {

/// What the middle of the window shows.
enum class Page { Segment, Lab, Compare };

/// What decides which actions make sense.
struct WindowState {
    Page page = Page::Segment;
    bool hasImage = false;
    bool hasNextImage = false;
    bool hasPreviousImage = false;
    bool hasImageList = false; ///< at least one is in it
    bool hasPrompts = false;
    bool hasMeanings = false; ///< the click may mean several things
    bool hasMasks = false;
    bool hasSelected = false; ///< one of the objects
    bool canUndo = false;
    bool canRedo = false;
    bool hasPeak = false; ///< a run has left a curve of its memory
    Session::State run = Session::State::Idle; ///< of what the page runs
};

/// Everything that can be done in the window, once: menus, tool bar and shortcuts refer to these.
class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QMainWindow& window);

    /// Enables what makes sense.
    void apply(const WindowState& state);
    void setPage(Page page);
    void setTool(Tool tool);
    void setTheme(Theme theme);
    void setRecentFiles(const QStringList& files);
    void setExamples(const std::vector<Example>& examples);
    /// Single letters, which elsewhere are text, go to the images only while one of these has the
    /// focus.
    void setImageWidgets(const QList<QWidget*>& widgets);
    /// In the same way for keys that mean the selected object.
    void setObjectWidgets(const QList<QWidget*>& widgets);
    /// What undo and redo would take back and do again; empty for nothing.
    void setSteps(const QString& undone, const QString& redone);

    QAction* open;
    QAction* openFolder;
    QAction* paste;
    QAction* exportObjects;
    QAction* nextImage;
    QAction* previousImage;
    QAction* closeImage;
    QAction* closeImages;
    QAction* clearRecent;
    QAction* quit;
    QAction* undo;
    QAction* redo;
    QAction* deleteObject;
    QAction* clearPrompts;
    QAction* nextMeaning;
    QAction* editRequest;
    QAction* words;
    QAction* points;
    QAction* box;
    QAction* segmentPage; ///< checkable, as the next
    QAction* labPage;
    QAction* comparePage;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* fit;
    QAction* actualSize;
    QAction* pixelGrid; ///< checkable
    QAction* hideMasks; ///< checkable
    QAction* outlineMasks; ///< checkable
    QAction* history;
    QAction* fullScreen; ///< checkable
    QAction* run;
    QAction* stop;
    QAction* peak;
    QAction* runAtOnce; ///< checkable
    QAction* keepRuns; ///< checkable
    QAction* about;
    QMenu* panels; ///< for the docks' own actions

Q_SIGNALS:
    void pageChosen(maskscope::Page page);
    void toolChosen(maskscope::Tool tool);
    void themeChosen(maskscope::Theme theme);
    void recentChosen(const QString& path);
    void exampleChosen(const maskscope::Example& example);

private:
    QAction* add(QMenu* menu, const QString& text, const QString& iconName,
        const QList<QKeySequence>& shortcuts);
    /// With a letter for where images have the focus and a shortcut for the rest of the window.
    QAction* addStep(
        QMenu* menu, const QString& text, Qt::Key letter, const QKeySequence& everywhere);
    QAction* addPage(QMenu* menu, Page page, const QString& text, const QString& iconName,
        const QKeySequence& shortcut);
    QAction* addTool(QMenu* menu, Tool tool, const QString& text, const QString& iconName,
        const QKeySequence& shortcut);
    QAction* addTheme(QMenu* menu, Theme theme, const QString& text);
    void fillFileMenu(QMenu* menu);
    void fillEditMenu(QMenu* menu);
    void fillViewMenu(QMenu* menu);
    void fillRunMenu(QMenu* menu);

    QMainWindow& m_window;
    QActionGroup* m_pages;
    QActionGroup* m_tools;
    QActionGroup* m_themes;
    QMenu* m_recent = nullptr;
    QMenu* m_examples = nullptr;
};

} // namespace maskscope
