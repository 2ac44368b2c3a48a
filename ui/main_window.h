// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/actions.h"
#include "ui/anatomy_tools.h"
#include "ui/compare_tools.h"
#include "ui/examples.h"
#include "ui/lab_tools.h"
#include "ui/mask_model.h"
#include "ui/mask_writer.h"
#include "ui/open_images.h"
#include "ui/opener.h"
#include "ui/remarks.h"
#include "ui/session.h"
#include "ui/settings.h"
#include "ui/theme.h"
#include "ui/work_step.h"

#include <QMainWindow>
#include <QUndoGroup>
#include <functional>
#include <memory>
#include <vector>

namespace maskscope {

class AnatomyDialog;
class AnswerView;
class ComparePage;
class ImagePanel;
class LabPage;
class MaskList;
class MemoryPanel;
class Pages;
class PastRuns;
class RunDisplay;
class RunHistory;
class RunPanel;
class StatusLine;
class ToolBar;
class Workspace;

/// What the window asks of core, handed in by the program, because the window knows no Torch.
struct WindowTools {
    ImageReader readImage;
    MaskExport exportMasks;
    LabTools lab;
    CompareTools compare;
    AnatomyTools anatomy;
};

/// Arranges the panels and connects them with the session. Session and settings outlive it.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Session& session, Settings& settings, ThemeSwitch& theme, const WindowTools& tools);
    ~MainWindow() override;

    /// Keeps runs in the history, and shows and replays those that are in it. It outlives the
    /// window; called once, before the model is loaded.
    void useHistory(RunHistory& history);
    void setExamples(const std::vector<Example>& examples);
    /// A file, or a folder with all the images below it.
    void openFile(const QString& path);
    void setRequest(const QString& words);
    /// Tells it above the image, with the next step.
    void showError(const Error& error);
    /// Runs as soon as the image that is being opened is there; at once when none is.
    void runWhenOpen();

Q_SIGNALS:
    /// A run has finished, was stopped or failed, and the window shows it; or the image that it was
    /// to start with could not be opened.
    void runEnded();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void restore();
    void connectActions();
    void connectViewActions();
    void connectOpener();
    void connectImages();
    void connectWork();
    void connectWorkspace();
    void connectSession();
    void connectLab();
    void connectCompare();
    void connectAnatomy(const std::filesystem::path& model);

    void openExample(const Example& example);
    void showPicture(const std::shared_ptr<const Picture>& picture);
    /// One that was opened is shown with what has been done on it, that of a past run without.
    void placePicture(const std::shared_ptr<const Picture>& picture);
    void showImageList();
    void tellNotes(const Picture& picture);
    /// What has been done on the image that is shown since the last step becomes one that can be
    /// undone.
    void record(WorkStep::Kind kind, const QString& text);
    void pushStep(WorkStep::Kind kind, const QString& text, const ImageWork& after);
    /// All that has been done on what is shown, settled.
    ImageWork workNow();
    void recordRun();
    /// Before anything else is done: a run that has ended is a step of its own, even if its masks
    /// are not settled yet.
    void recordEndedRun();
    /// Goes to what had been done on the image that is shown once.
    void showWork(const ImageWork& work);
    void deleteSelected();
    void chooseExport();
    void writeObjects(const ExportPlan& plan);
    void tellWritten(const WrittenObjects& written);
    void tellNotWritten(const Error& error);
    /// Closing the image would lose masks that are in no file.
    bool wouldLose(int row);
    /// Ends what runs on the image that is shown and keeps what has been done on it.
    void keepWork();
    bool showsOpenImage() const;
    void closeImage();
    void closeImages();
    /// What closing all images would lose, as a sentence; empty for nothing.
    QString lossOfImages();
    /// Nothing would be lost, or the person has said that it may be. Else it asks, or waits for
    /// what is being written, and closes the window then.
    bool mayClose();
    /// At once, unless that would lose something.
    void askToClose(const QString& loss, const std::function<void()>& close);
    void run();
    /// An error of the newest run, with ways on.
    void showRunError(const Error& error);
    void showRefusal(const Error& error);
    void take(NextStep step);
    void updateActions();
    void updateRecentFiles();

    Session& m_session;
    Settings& m_settings;
    ThemeSwitch& m_theme;
    MaskModel m_masks;
    QUndoGroup m_steps; // the stack of the image that is shown
    ImageReader m_reader;
    Actions m_actions;
    OpenImages* m_images;
    MaskWriter* m_writer;
    Opener* m_opener;
    Pages* m_pages;
    Workspace* m_workspace;
    LabPage* m_lab;
    ComparePage* m_compare;
    ImagePanel* m_imagePanel;
    AnswerView* m_answer;
    MaskList* m_list;
    RunPanel* m_runPanel;
    MemoryPanel* m_memory;
    StatusLine* m_status;
    RunDisplay* m_display;
    ToolBar* m_tools;
    AnatomyDialog* m_anatomy;
    PastRuns* m_pastRuns = nullptr; // with a history
    ModelDescription m_model;
    RunSettings m_asked; // of the newest run
    std::vector<ExportFormat> m_exportFormats{ExportFormat::Png}; // of the last export
    QString m_step; // what the newest run was asked
    bool m_recordsWhenSettled = false; // the newest run, which has ended
    bool m_runWhenOpen = false;
    bool m_listIsDue = false; // the images are to be shown with their page
    bool m_mayLoseWork = false; // the person has said so
    bool m_closesWhenWritten = false;
    bool m_closing = false;
};

} // namespace maskscope
