// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/answer_view.h"
#include "ui/application.h"
#include "ui/canvas.h"
#include "ui/convert.h"
#include "ui/lab_page.h"
#include "ui/memory_panel.h"
#include "ui/message_bar.h"
#include "ui/request_edit.h"
#include "ui/start_page.h"
#include "ui/status_line.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

using namespace std::chrono_literals;

namespace maskscope {

namespace {

Image readByQt(const std::filesystem::path& path) {
    const QString file = QString::fromStdString(path.string());
    const QImage image(file);
    if (image.isNull())
        throw Failure(ErrorKind::Input, path.string() + " is not a picture: choose another file.");
    Image result = toImage(image);
    if (file.contains(QStringLiteral("noted")))
        result.source.notes = {"It has 3 pages; only the first is shown."};
    return result;
}

} // namespace

class MainWindowTest : public UiTest {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<FakeModel> m_model;
    std::shared_ptr<FakeLab> m_lab;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ThemeSwitch> m_theme;
    std::unique_ptr<MainWindow> m_window;

    template <class T>
    T& find(const char* name) const {
        T* child = m_window->findChild<T*>(QString::fromLatin1(name));
        if (child == nullptr)
            qFatal("there is no %s", name);
        return *child;
    }
    Canvas& canvas() const { return find<Canvas>("canvas"); }
    RequestEdit& edit() const { return find<RequestEdit>("requestEdit"); }
    QPushButton& runButton() const { return find<QPushButton>("runButton"); }
    AnswerView& answer() const { return find<AnswerView>("answerView"); }
    MessageBar& message() const { return find<MessageBar>("messageBar"); }
    StatusLine& status() const { return *m_window->findChild<StatusLine*>(); }
    QTableView& list() const { return find<QTableView>("maskList"); }
    int maskCount() const { return list().model()->rowCount(); }

    QString file(const QString& name, const QSize& size = {320, 240}) const {
        const QString path = m_folder.filePath(name);
        QImage image(size, QImage::Format_RGB32);
        image.fill(Qt::darkGreen);
        image.save(path, "PNG");
        return path;
    }

    void openWindow() {
        m_window = std::make_unique<MainWindow>(
            *m_session, *m_settings, *m_theme, readByQt, FakeLab::toolsFor(m_lab), CompareTools{});
        connect(qobject_cast<Application*>(qApp), &Application::troubled, m_window.get(),
            &MainWindow::showError);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void openImage(const QString& name = QStringLiteral("a.png")) {
        m_window->openFile(file(name));
        QTRY_VERIFY(m_window->windowTitle().startsWith(name) && canvas().isVisible());
    }

    void typeAndRun(const QString& words) {
        edit().setFocus();
        edit().selectAll();
        QTest::keyClicks(&edit(), words);
        QTest::keyClick(&edit(), Qt::Key_Return);
    }

    bool isIdle() const { return m_session->state() == Session::State::Idle; }

    void answerSlowly(std::chrono::milliseconds perToken) {
        FakeAnswer slow;
        slow.perToken = perToken;
        m_model->setAnswer(slow);
    }

    // The view position of a point of the image.
    QPoint onCanvas(double x, double y) const {
        return canvas().geometryOfImage().toView(QPointF(x, y)).toPoint();
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_model = std::make_shared<FakeModel>();
        m_lab = std::make_shared<FakeLab>();
        m_session = std::make_unique<Session>();
        m_settings = std::make_unique<Settings>(m_folder.filePath(QStringLiteral("s.ini")));
        m_theme = std::make_unique<ThemeSwitch>();
        m_session->load(FakeModel::factoryFor(m_model));
        openWindow();
    }
    void cleanup() {
        m_window.reset();
        m_session.reset();
        m_settings.reset();
        QFile::remove(m_folder.filePath(QStringLiteral("s.ini")));
    }

    void wordsBecomeAnAnswerMasksAndACurve() {
        openImage();
        const QSignalSpy ended(m_window.get(), &MainWindow::runEnded);
        typeAndRun(QStringLiteral("cat and cup"));
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(m_model->requests().back().text, std::string("cat and cup"));
        QCOMPARE(answer().answer(), QStringLiteral("The cat <|mask|> sits by a cup <|mask|>."));
        QCOMPARE(maskCount(), 2);
        QVERIFY(list().model()->index(0, 0).data().toString().contains(QStringLiteral("cat")));
        const MemoryPanel& memory = find<MemoryPanel>("memoryPanel");
        QCOMPARE(memory.series().peak()->live, FakeModel::kWeights + FakeModel::kVisionPeak);
        QVERIFY(memory.stages().bands().size() >= 5);
        QVERIFY(status().figures().contains(QStringLiteral("sdpa")));
        QVERIFY(status().figures().contains(QStringLiteral("tokens/s")));
        QVERIFY(status().figures().contains(QStringLiteral("312")));
        QVERIFY(status().text().startsWith(QStringLiteral("Done in")));
    }

    void saysWhatIsMissing() {
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QVERIFY(
            message().isVisible() && message().text().contains(QStringLiteral("Open an image")));
        openImage();
        QVERIFY(!message().isVisible());
        edit().clear();
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(message().text().contains(QStringLiteral("Type what to find")));
        QVERIFY(m_model->requests().empty());
    }

    void clicksRunAtOnceAndRefine() {
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(160, 120));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        Request request = m_model->requests().back();
        QVERIFY(request.text.empty());
        QCOMPARE(request.points.size(), std::size_t(1));
        QVERIFY(std::abs(request.points.front().x - 160) < 1);
        QTest::mouseClick(&canvas(), Qt::RightButton, {}, onCanvas(40, 40));
        QTRY_COMPARE(m_model->requests().size(), std::size_t(2));
        request = m_model->requests().back();
        QCOMPARE(request.points.size(), std::size_t(2));
        QVERIFY(request.points.at(1).sign == PointSign::Negative);
        QTRY_VERIFY(isIdle());
        QCOMPARE(maskCount(), 1); // the new one in place of the old
        QTest::keyClick(m_window.get(), Qt::Key_Escape); // nothing runs: clears
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(100, 100));
        QTRY_COMPARE(m_model->requests().size(), std::size_t(3));
        QCOMPARE(m_model->requests().back().points.size(), std::size_t(1));
        QTRY_VERIFY(isIdle());
    }

    void anotherMeaningOfAClickCanBeTaken() {
        FakeAnswer ambiguous;
        ambiguous.candidates = 2;
        m_model->setAnswer(ambiguous);
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier); // nothing to choose from
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(160, 120));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        QVERIFY(answer().toPlainText().contains(QStringLiteral("may mean 2 things")));
        for (const int meaning : {2, 0, 2}) {
            const auto before = m_model->requests().size();
            QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
            QTRY_VERIFY(isIdle() && m_model->requests().size() == before + 1);
            QCOMPARE(m_model->requests().back().meaning, meaning);
        }
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(170, 120));
        QTRY_VERIFY(isIdle() && m_model->requests().back().points.size() == 2);
        QCOMPARE(m_model->requests().back().meaning, 2); // refined as it was chosen
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(60, 60));
        QTRY_VERIFY(isIdle() && m_model->requests().back().points.size() == 1);
        QCOMPARE(m_model->requests().back().meaning, 0);
    }

    void clicksCanWaitForRun() {
        openImage();
        m_settings->setPromptRun(PromptRun::OnRequest);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, onCanvas(50, 50));
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, onCanvas(200, 150));
        QTest::qWait(50);
        QVERIFY(m_model->requests().empty());
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_COMPARE(m_model->requests().size(), std::size_t(1));
        QCOMPARE(m_model->requests().back().boxes.size(), std::size_t(1));
        QTRY_VERIFY(isIdle());
    }

    void escapeStopsAndSaysSoAtOnce() {
        answerSlowly(80ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QCOMPARE(runButton().text(), QStringLiteral("Stop"));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(runButton().text(), QStringLiteral("Stopping…"));
        QVERIFY(!runButton().isEnabled());
        QCOMPARE(status().text(), QStringLiteral("Stopping…"));
        QTRY_VERIFY(isIdle());
        QCOMPARE(runButton().text(), QStringLiteral("Run"));
        QCOMPARE(maskCount(), 1); // kept
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Stopped")));
        answerSlowly(0ms);
        typeAndRun(QStringLiteral("cat again"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
    }

    void anotherImageDropsTheRunningAnswer() {
        answerSlowly(40ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        openImage(QStringLiteral("b.png"));
        QCOMPARE(maskCount(), 0);
        QVERIFY(isIdle());
        QTRY_VERIFY(!m_session->isBusy());
        QTest::qWait(80);
        QCOMPARE(maskCount(), 0);
    }

    void typedAndAnsweredMarkupStaysText() {
        FakeAnswer nasty;
        nasty.pieces = {"<b>bold</b>", " <|mask|>", " <img src='x'>"};
        nasty.labels = {"<i>cat</i> & dog"};
        m_model->setAnswer(nasty);
        openImage();
        typeAndRun(QStringLiteral("<h1>big</h1> <|mask|>"));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        QVERIFY(answer().toPlainText().startsWith(
            QStringLiteral("“<h1>big</h1> <|mask|>”\n<b>bold</b> ")));
        QVERIFY(answer().toPlainText().contains(QStringLiteral("<img src='x'>")));
        QCOMPARE(
            list().model()->index(0, 0).data().toString(), QStringLiteral("1  <i>cat</i> & dog"));
    }

    void anErrorIsToldAndTheNextRunWorks() {
        FakeAnswer broken;
        broken.failure
            = Error{ErrorKind::Memory, "This needs <b>900 MiB</b>, but 512 MiB are allowed."};
        m_model->setAnswer(broken);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(message().isVisible());
        QCOMPARE(message().text(),
            QStringLiteral("This needs <b>900 MiB</b>, but 512 MiB are allowed."));
        QCOMPARE(find<QLabel>("messageText").textFormat(), Qt::PlainText);
        QTest::mouseClick(&find<QPushButton>("messageStep"), Qt::LeftButton);
        QVERIFY(find<QSpinBox>("limitBox").hasFocus());
        m_model->setAnswer({});
        find<QSpinBox>("limitBox").setValue(2048);
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QVERIFY(!message().isVisible());
        QCOMPARE(
            m_model->requests().back().settings.memoryLimit.value_or(0), std::int64_t(2048) << 20);
    }

    void emptyAndMissingMasksAreExplained() {
        FakeAnswer empty;
        empty.lastMaskEmpty = true;
        m_model->setAnswer(empty);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Mask 2 is empty")));
        empty.pieces = {"There", " is", " none."};
        m_model->setAnswer(empty);
        typeAndRun(QStringLiteral("dog"));
        QTRY_VERIFY(isIdle() && maskCount() == 0);
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Nothing was marked")));
    }

    void opensByDropPasteAndRecentFiles() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file(QStringLiteral("dropped ü&<.png")))});
        QDragEnterEvent enter(
            QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(m_window->windowTitle().startsWith(QStringLiteral("dropped ü&<.png")));

        QImage pixels(50, 40, QImage::Format_ARGB32);
        pixels.fill(Qt::transparent);
        QGuiApplication::clipboard()->setImage(pixels);
        canvas().setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(m_window->windowTitle().startsWith(QStringLiteral("Pasted image")));
        openImage();
        edit().setFocus(); // the line takes text, but an image is not text
        QTest::keyClick(&edit(), Qt::Key_V, Qt::ControlModifier);
        QTRY_VERIFY(m_window->windowTitle().startsWith(QStringLiteral("Pasted image")));
        QGuiApplication::clipboard()->setText(QStringLiteral("words"));
        edit().clear();
        QTest::keyClick(&edit(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(edit().text(), QStringLiteral("words"));

        QCOMPARE(m_settings->recentFiles().size(), 2);
        QVERIFY(m_settings->recentFiles().at(1).endsWith(QStringLiteral("dropped ü&<.png")));
        const auto actions = m_window->findChildren<QAction*>();
        const auto recent = std::find_if(actions.begin(), actions.end(), [](QAction* action) {
            return action->text().contains(QStringLiteral("dropped ü&&<.png"));
        });
        QVERIFY(recent != actions.end());
        (*recent)->trigger();
        QTRY_VERIFY(m_window->windowTitle().startsWith(QStringLiteral("dropped ü&<.png")));
    }

    void whatCannotBeOpenedIsTold() {
        openImage();
        m_window->openFile(m_folder.filePath(QStringLiteral("gone.png")));
        QTRY_VERIFY(message().isVisible());
        QVERIFY(message().text().contains(QStringLiteral("gone.png")));
        QVERIFY(m_window->windowTitle().startsWith(QStringLiteral("a.png"))); // the old one stays
        QGuiApplication::clipboard()->clear();
        canvas().setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_V, Qt::ControlModifier);
        QVERIFY(message().text().contains(QStringLiteral("no image in the clipboard")));
    }

    void notesAboutAnImageAreShown() {
        openImage(QStringLiteral("noted.png"));
        QVERIFY(message().isVisible());
        QCOMPARE(message().text(), QStringLiteral("It has 3 pages; only the first is shown."));
    }

    void examplesOpenAndRun() {
        StartPage& page = find<StartPage>("startPage");
        m_window->setExamples({{file(QStringLiteral("e.png")), QStringLiteral("the cup")}});
        m_window->setExamples(
            std::vector<Example>(8, {file(QStringLiteral("e.png")), QStringLiteral("the cup")}));
        m_window->resize(1024, 700); // fewer columns, but nothing beside the page
        QTest::qWait(50);
        for (const ExampleCard* one : page.findChildren<ExampleCard*>())
            if (!one->isHidden())
                QVERIFY(one->mapTo(&page, QPoint(one->width(), 0)).x() <= page.width());
        m_window->setExamples({{file(QStringLiteral("e.png")), QStringLiteral("the cup")}});
        QTest::qWait(50); // the old cards go
        auto* card = page.findChild<ExampleCard*>();
        QVERIFY(card != nullptr);
        QTest::mouseClick(card, Qt::LeftButton);
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QCOMPARE(m_model->requests().back().text, std::string("the cup"));
        QCOMPARE(edit().text(), QStringLiteral("the cup"));
        // With an image open the page is gone, but the menu has them too.
        const auto actions = m_window->findChildren<QAction*>();
        const auto example = std::find_if(actions.begin(), actions.end(),
            [](QAction* action) { return action->text() == QStringLiteral("e – the cup"); });
        QVERIFY(example != actions.end());
        (*example)->trigger();
        QTRY_VERIFY(m_model->requests().size() == 2 && isIdle());
    }

    void requestsHaveAHistory() {
        openImage();
        for (const char* words : {"first", "second"}) {
            typeAndRun(QString::fromLatin1(words));
            QTRY_VERIFY(isIdle());
        }
        edit().setText(QStringLiteral("draft"));
        QTest::keyClick(&edit(), Qt::Key_Up);
        QCOMPARE(edit().text(), QStringLiteral("second"));
        QTest::keyClick(&edit(), Qt::Key_Up);
        QTest::keyClick(&edit(), Qt::Key_Up);
        QCOMPARE(edit().text(), QStringLiteral("first"));
        QTest::keyClick(&edit(), Qt::Key_Down);
        QTest::keyClick(&edit(), Qt::Key_Down);
        QCOMPARE(edit().text(), QStringLiteral("draft"));
    }

    void runSettingsGoWithTheRequestAndAreKept() {
        QComboBox& attention = find<QComboBox>("attentionBox");
        m_session->announceModel(
            {{}, {{AttentionPath::Ring, false, true, false, "needs two devices"}}, {}});
        QTRY_VERIFY(
            !attention.model()
                 ->flags(attention.model()->index(attention.findText(QStringLiteral("ring")), 0))
                 .testFlag(Qt::ItemIsEnabled));
        attention.setCurrentIndex(attention.findText(QStringLiteral("mha")));
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle());
        QVERIFY(m_model->requests().back().settings.attention == AttentionPath::Mha);
        QVERIFY(status().figures().contains(QStringLiteral("mha")));
        QVERIFY(m_settings->runSettings().attention == AttentionPath::Mha);
    }

    void zoomAndMaskKeysWork() {
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(canvas().geometryOfImage().scale(), 1.0);
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(canvas().geometryOfImage().scale(), 1.25);
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(canvas().geometryOfImage().isFitted());
        const auto checked
            = [&] { return list().model()->index(0, 0).data(Qt::CheckStateRole).toInt(); };
        QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier);
        QCOMPARE(checked(), int(Qt::Unchecked));
        QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier);
        QCOMPARE(checked(), int(Qt::Checked));
    }

    void closingWhileRunningStopsAndLeaves() {
        answerSlowly(50ms);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QElapsedTimer time;
        time.start();
        m_window->close();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
        QVERIFY(!m_session->isBusy());
    }

    void closingDoesNotWaitForEver() {
        FakeAnswer deaf;
        deaf.perToken = 20ms;
        deaf.deafTo = 4000ms;
        m_model->setAnswer(deaf);
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(maskCount() == 1);
        QElapsedTimer time;
        time.start();
        m_window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isVisible(), 3500);
        QVERIFY2(time.elapsed() < 3000, qPrintable(QString::number(time.elapsed())));
    }

    void theGuiThreadStaysAlive() {
        FakeAnswer flood;
        flood.pieces = std::vector<std::string>(10'000, "word ");
        m_model->setAnswer(flood);
        openImage();
        QElapsedTimer beat;
        qint64 longest = 0;
        QTimer timer;
        timer.setInterval(1);
        connect(&timer, &QTimer::timeout, this, [&] {
            longest = std::max(longest, beat.isValid() ? beat.restart() : 0);
            if (!beat.isValid())
                beat.start();
        });
        timer.start();
        typeAndRun(QStringLiteral("flood"));
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), 20'000);
        QVERIFY2(longest < 250, qPrintable(QString::number(longest))); // 50 on a machine of its own
        QCOMPARE(answer().answer().size(), 50'000);
    }

    void everythingHasANameForScreenReaders() {
        openImage();
        QStringList nameless;
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus
                || widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            QAccessibleInterface* accessible
                = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (accessible == nullptr || accessible->text(QAccessible::Name).isEmpty())
                nameless += QString::fromLatin1(widget->metaObject()->className())
                    + QLatin1Char(' ') + widget->objectName();
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    }

    void anExceptionInASlotIsTold() {
        QTimer::singleShot(
            0, m_window.get(), [] { throw Failure(ErrorKind::Internal, "a <slot> has thrown"); });
        QTRY_VERIFY(message().isVisible());
        QCOMPARE(message().text(), QStringLiteral("a <slot> has thrown"));
        openImage(); // and life goes on
    }

    void remembersTheLayout() {
        auto* dock = m_window->findChild<QWidget*>(QStringLiteral("runDock"));
        dock->hide();
        QTest::keyClick(m_window.get(), Qt::Key_F3); // where all docks are hidden
        m_window->close();
        m_window.reset();
        openWindow();
        QVERIFY(m_window->findChild<QWidget*>(QStringLiteral("runDock"))->isHidden());
        QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("memoryDock"))->isHidden());
    }

    void theLabIsAKeyAway() {
        auto* memory = m_window->findChild<QWidget*>(QStringLiteral("memoryDock"));
        auto* answer = m_window->findChild<QWidget*>(QStringLiteral("answerDock"));
        auto& lab = find<LabPage>("labPage");
        answer->hide();
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_F3);
        QVERIFY(lab.isVisible() && !canvas().isVisible() && !memory->isVisible());
        QVERIFY(!find<QWidget>("toolBar").isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_4, Qt::AltModifier); // no panel here
        QVERIFY(!memory->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F2);
        QVERIFY(canvas().isVisible() && memory->isVisible() && !answer->isVisible());
        QVERIFY(find<QWidget>("toolBar").isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F3);
        openImage(QStringLiteral("b.png")); // is what one wants to see
        QVERIFY(canvas().isVisible());
    }

    void theLabRunsAndStopsByTheSameKeys() {
        auto& lab = find<LabPage>("labPage");
        m_lab->setPerPoint(50ms);
        QTest::keyClick(m_window.get(), Qt::Key_F3);
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(lab.state() == SweepJob::State::Running);
        QTRY_VERIFY(!lab.record().points.empty());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTRY_VERIFY(lab.state() == SweepJob::State::Idle);
        QVERIFY(m_model->requests().empty());
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(lab.state() == SweepJob::State::Running);
        m_window->close(); // and does not wait for it
        QVERIFY(!m_window->isVisible());
    }

    void aSizeThatFitsGoesWithTheRequest() {
        m_session->announceModel(FakeLab::model());
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_F3);
        auto& use = find<QPushButton>("useSizeButton");
        QTRY_VERIFY(use.isEnabled());
        QTest::mouseClick(&use, Qt::LeftButton);
        QTest::keyClick(m_window.get(), Qt::Key_F2);
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle());
        QCOMPARE(m_model->requests().back().settings.pixels, 2'000'000);
        QCOMPARE(m_settings->runSettings().pixels, 2'000'000);
    }

    void themesSwitch() {
        m_theme->apply(Theme::Dark);
        QTRY_VERIFY(m_window->palette().color(QPalette::Window).lightness() < 80);
        m_theme->apply(Theme::Light);
        QTRY_VERIFY(m_window->palette().color(QPalette::Window).lightness() > 200);
    }
};

} // namespace maskscope

int main(int argc, char** argv) {
    maskscope::Application application(argc, argv);
    maskscope::MainWindowTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "main_window_test.moc"
