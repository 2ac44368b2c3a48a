// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/fake_anatomy.h"
#include "tests/ui/fake_job.h"
#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/answer_view.h"
#include "ui/application.h"
#include "ui/canvas.h"
#include "ui/main_window.h"
#include "ui/memory_panel.h"
#include "ui/message_bar.h"
#include "ui/request_edit.h"
#include "ui/status_line.h"

#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <chrono>
#include <memory>

namespace maskscope {

/// Base of the tests of the whole window: each has a window of its own over a model, a laboratory
/// and a history that only pretend.
class WindowTest : public UiTest {
    Q_OBJECT
protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<FakeModel> m_model;
    std::shared_ptr<FakeLab> m_lab;
    std::shared_ptr<FakeAnatomy> m_anatomy;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSwitch> m_theme;
    std::unique_ptr<MainWindow> m_window;

    template <class T>
    T& find(const char* name) const {
        return childNamed<T>(*m_window, name);
    }
    Canvas& canvas() const { return find<Canvas>("canvas"); }
    RequestEdit& edit() const { return find<RequestEdit>("requestEdit"); }
    QPushButton& runButton() const { return find<QPushButton>("runButton"); }
    AnswerView& answer() const { return find<AnswerView>("answerView"); }
    MessageBar& message() const { return find<MessageBar>("messageBar"); }
    MemoryPanel& memory() const { return find<MemoryPanel>("memoryPanel"); }
    StatusLine& status() const { return *m_window->findChild<StatusLine*>(); }
    QTableView& list() const { return find<QTableView>("maskList"); }
    int maskCount() const { return list().model()->rowCount(); }
    bool isIdle() const { return m_session->state() == Session::State::Idle; }
    void press(const char* name) const {
        QTest::mouseClick(&find<QPushButton>(name), Qt::LeftButton);
    }

    /// A picture in a file; its path.
    QString file(const QString& name, Qt::GlobalColor colour = Qt::darkGreen) const;
    /// The view position of a point of the image.
    QPoint onCanvas(double x, double y) const;

    /// Over what there is; init() has opened the first one.
    void openWindow();
    /// What else a window gets before its model is loaded.
    virtual void prepareWindow() { }
    virtual WindowTools tools() const;
    void openImage(const QString& name = QStringLiteral("a.png"));
    /// Files and folders by drag and drop.
    void drop(const QStringList& paths);
    void typeAndRun(const QString& words);
    /// The window, and answers its question that masks would be lost.
    void closeWithoutSaving();
    void answerSlowly(std::chrono::milliseconds perToken);

protected Q_SLOTS:
    void init();
    void cleanup();
};

} // namespace maskscope

/// The main() of a program that is one WindowTest.
#define MASKSCOPE_WINDOW_TEST_MAIN(Test)                                                           \
    int main(int argc, char** argv) {                                                              \
        maskscope::Application application(argc, argv);                                            \
        maskscope::Test test;                                                                      \
        return QTest::qExec(&test, argc, argv);                                                    \
    }
