// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the window in all its states into PNG files, with a model that only pretends, for people
// to look at: gallery FOLDER [light|dark] [WIDTHxHEIGHT]. QT_SCALE_FACTOR=2 shows it on a sharp
// screen.
#include "tests/ui/fake_anatomy.h"
#include "tests/ui/fake_compare.h"
#include "tests/ui/fake_job.h"
#include "tests/ui/fake_lab.h"
#include "ui/about.h"
#include "ui/anatomy_dialog.h"
#include "ui/compare_page.h"
#include "ui/convert.h"
#include "ui/lab_page.h"
#include "ui/main_window.h"
#include "ui/mask_model.h"
#include "ui/run_history.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

using namespace std::chrono_literals;
using namespace maskscope;

namespace {

void shoot(MainWindow& window, const QString& name) {
    QTest::qWait(200);
    window.grab().save(name + QStringLiteral(".png"));
}

void shootLab(MainWindow& window, FakeLab& lab, const QString& prefix) {
    QTest::keyClick(&window, Qt::Key_F3);
    auto* page = window.findChild<LabPage*>();
    shoot(window, prefix + QStringLiteral("7-lab-empty"));
    lab.setPerPoint(60ms);
    page->run();
    (void)QTest::qWaitFor([&] { return page->record().points.size() == 6; }, 10'000);
    shoot(window, prefix + QStringLiteral("7-lab-running"));
    (void)QTest::qWaitFor([&] { return page->state() == SweepJob::State::Idle; }, 10'000);
    window.findChild<QTabWidget*>(QStringLiteral("labTabs"))->setCurrentIndex(1);
    shoot(window, prefix + QStringLiteral("8-lab-done"));
    for (const char* name : {"publishedBox", "logarithmicBox"})
        window.findChild<QCheckBox*>(QString::fromLatin1(name))->click();
    window.findChild<QTabWidget*>(QStringLiteral("labTabs"))->setCurrentIndex(2);
    shoot(window, prefix + QStringLiteral("8-lab-published"));
}

/// A past run held in its middle, and two that are compared.
void shootPast(MainWindow& window, const QString& prefix) {
    auto* pastRuns = window.findChild<QDialog*>(QStringLiteral("historyDialog"));
    auto* runs = pastRuns->findChild<QTableView*>(QStringLiteral("historyTable"));
    pastRuns->show();
    (void)QTest::qWaitFor([&] { return runs->model()->rowCount() > 2; }, 5'000);
    QTest::qWait(200);
    pastRuns->grab().save(prefix + QStringLiteral("10-history.png"));
    runs->selectRow(runs->model()->rowCount() - 1);
    pastRuns->findChild<QPushButton*>(QStringLiteral("historyReplay"))->click();
    auto* slider = window.findChild<QSlider*>(QStringLiteral("replaySlider"));
    (void)QTest::qWaitFor([&] { return slider->isVisible(); }, 5'000);
    window.findChild<QPushButton*>(QStringLiteral("replayPlay"))->click();
    slider->setValue(slider->maximum() * 3 / 4);
    shoot(window, prefix + QStringLiteral("11-replay"));
    pastRuns->show();
    (void)QTest::qWaitFor([&] { return runs->selectionModel()->hasSelection(); }, 5'000);
    runs->selectionModel()->select(runs->model()->index(runs->model()->rowCount() - 2, 0),
        QItemSelectionModel::Select | QItemSelectionModel::Rows);
    pastRuns->findChild<QPushButton*>(QStringLiteral("historyCompare"))->click();
    auto* pair = window.findChild<QWidget*>(QStringLiteral("pairView"));
    (void)QTest::qWaitFor([&] { return pair->isVisible(); }, 5'000);
    window.findChild<QTabWidget*>(QStringLiteral("compareTabs"))->setCurrentIndex(1);
    shoot(window, prefix + QStringLiteral("13-past-pair"));
}

void shootCompare(MainWindow& window, FakeModel& model, const QString& prefix) {
    QTest::keyClick(&window, Qt::Key_F4);
    shoot(window, prefix + QStringLiteral("12-compare-empty"));
    FakeAnswer answer = model.answer();
    answer.failure.reset();
    answer.perToken = 30ms;
    model.setAnswer(answer);
    auto* page = window.findChild<ComparePage*>();
    page->run();
    QTest::qWait(500);
    shoot(window, prefix + QStringLiteral("12-compare-running"));
    (void)QTest::qWaitFor([&] { return page->state() == CompareJob::State::Idle; }, 10'000);
    shoot(window, prefix + QStringLiteral("12-compare-done"));
    window.findChild<QSpinBox*>(QStringLiteral("limitBox"))->setValue(64);
    QTest::keyClick(&window, Qt::Key_F2);
    QTest::keyClick(&window, Qt::Key_F4);
    page->run();
    (void)QTest::qWaitFor([&] { return page->state() == CompareJob::State::Idle; }, 10'000);
    shoot(window, prefix + QStringLiteral("12-compare-refused"));
    QTest::keyClick(&window, Qt::Key_F2);
}

/// A run over three ranks, with its lanes and their figures.
void shootRing(MainWindow& window, Session& session, const QString& prefix) {
    auto* attention = window.findChild<QComboBox*>(QStringLiteral("attentionBox"));
    auto* tabs = window.findChild<QTabWidget*>(QStringLiteral("memoryTabs"));
    attention->setCurrentIndex(attention->findText(QStringLiteral("ring")));
    window.findChild<QSpinBox*>(QStringLiteral("ringRanksBox"))->setValue(3);
    window.runWhenOpen();
    QTest::qWait(200);
    (void)QTest::qWaitFor([&] { return session.state() == Session::State::Idle; }, 10'000);
    shoot(window, prefix + QStringLiteral("4-ring"));
    tabs->setCurrentIndex(2);
    shoot(window, prefix + QStringLiteral("4-ring-figures"));
    tabs->setCurrentIndex(0);
    attention->setCurrentIndex(0);
}

/// A folder of 200 images with long names, and the pixels of one of them.
void shootImages(
    MainWindow& window, const QDir& samples, const QDir& folder, const QString& prefix) {
    const QStringList files = samples.entryList({QStringLiteral("*.jpg"), QStringLiteral("*.png")});
    for (int i = 0; i < 200; ++i) {
        const QString& sample = files.at(i % files.size());
        QFile::link(samples.filePath(sample),
            folder.filePath(QStringLiteral("국립중앙박물관 가을 여행에서 찍은 사진 %1.%2")
                                .arg(i + 1)
                                .arg(QFileInfo(sample).suffix())));
    }
    window.openFile(folder.path());
    QTest::qWait(2500);
    auto* canvas = window.findChild<QWidget*>(QStringLiteral("canvas"));
    canvas->setFocus();
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(canvas, Qt::Key_D);
        QTest::qWait(500);
    }
    shoot(window, prefix + QStringLiteral("13-images"));
    for (int i = 0; i < 18; ++i)
        QTest::keyClick(canvas, Qt::Key_Plus);
    shoot(window, prefix + QStringLiteral("13-pixels"));
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
}

} // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const QString folder = arguments.value(1, QStringLiteral("."));
    const QString themeName = arguments.value(2, QStringLiteral("light"));
    const QStringList size = arguments.value(3, QStringLiteral("1280x800")).split(QLatin1Char('x'));
    QDir().mkpath(folder);
    const QString prefix = QDir(folder).filePath(themeName) + QLatin1Char('-')
        + size.join(QLatin1Char('x')) + QLatin1Char('-');

    QTemporaryDir temporary;
    Settings settings(temporary.filePath(QStringLiteral("s.ini")));
    ThemeSwitch theme;
    theme.apply(themeName == QLatin1StringView("dark") ? Theme::Dark : Theme::Light);
    RunHistory history(toPath(temporary.filePath(QStringLiteral("history.sqlite"))));
    Session session;
    const auto model = std::make_shared<FakeModel>();
    const auto factory = FakeModel::factoryFor(model);
    session.load([&](const EventSink& sink) {
        ModelDescription description = FakeLab::model();
        description.info.name = "lens-small";
        description.machine.processor = "AMD EPYC 9334";
        description.info.trainingPixels = 400'000;
        description.attention = {{AttentionPath::Sdpa, true, false, false, {}},
            {AttentionPath::Ring, false, true, false,
                "needs two devices, and this machine has one"}};
        session.announceModel(description);
        return factory(sink);
    });
    const auto readImage = [](const std::filesystem::path& path) {
        return toImage(QImage(QString::fromStdString(path.string())));
    };
    const auto lab = std::make_shared<FakeLab>();
    const auto anatomy = std::make_shared<FakeAnatomy>();
    const QString samples = QStringLiteral(MASKSCOPE_RESOURCES "/examples");
    const auto sample = std::make_shared<const Image>(
        readImage(toPath(samples + QStringLiteral("/tea_time.png"))));
    CompareTools compare;
    compare.run = fakeRuns(model, sample);
    MainWindow window(session, settings, theme,
        {readImage, {}, FakeLab::toolsFor(lab), compare, FakeAnatomy::toolsFor(anatomy)});
    window.useHistory(history);
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();

    auto examples = readExamples(samples);
    if (examples)
        window.setExamples(examples.value());
    QTest::qWait(2500);
    shoot(window, prefix + QStringLiteral("1-empty"));

    FakeAnswer answer;
    answer.pieces = {"The", " cake", " <|mask|>", " stands", " in", " the", " middle", " and",
        " the", " clock", " <|mask|>", " beside", " it."};
    answer.labels = {"cake", "clock"};
    answer.perToken = 120ms;
    answer.perStage = 300ms;
    model->setAnswer(answer);
    window.openFile(samples + QStringLiteral("/tea_time.png"));
    window.setRequest(QStringLiteral("segment the cake and the clock"));
    window.runWhenOpen();
    auto* masks = window.findChild<QTableView*>(QStringLiteral("maskList"));
    (void)QTest::qWaitFor([&] { return masks->model()->rowCount() == 1; }, 10'000);
    shoot(window, prefix + QStringLiteral("2-running"));
    (void)QTest::qWaitFor(
        [&] { return session.state() == Session::State::Idle && masks->model()->rowCount() == 2; },
        10'000);
    shoot(window, prefix + QStringLiteral("3-done"));
    masks->selectRow(1);
    shoot(window, prefix + QStringLiteral("4-selected"));

    auto* tensors = window.findChild<AnatomyDialog*>();
    window.findChild<QPushButton*>(QStringLiteral("peakButton"))->click();
    (void)QTest::qWaitFor([&] { return tensors->state() == AnatomyJob::State::Idle; }, 5'000);
    QTest::qWait(200);
    tensors->grab().save(prefix + QStringLiteral("4-tensors.png"));
    tensors->close();
    window.activateWindow();
    QTest::qWait(200);

    shootRing(window, session, prefix);

    for (QAction* action : window.findChild<QToolBar*>(QStringLiteral("toolBar"))->actions())
        if (action->iconText() == QStringLiteral("Points"))
            action->trigger();
    auto* canvas = window.findChild<QWidget*>(QStringLiteral("canvas"));
    answer.perStage = 20ms;
    model->setAnswer(answer);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->rect().center());
    QTest::qWait(500);
    QTest::mouseClick(canvas, Qt::RightButton, {}, canvas->rect().center() + QPoint(90, 60));
    QTest::qWait(600);
    shoot(window, prefix + QStringLiteral("5-points"));

    answer.failure = Error{ErrorKind::Memory,
        "This run needs 1.92 GiB above the 52 MiB that the model holds, but the memory limit "
        "leaves "
        "460 MiB: choose sdpa instead of mha, a smaller image size, or raise the limit."};
    model->setAnswer(answer);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->rect().center() + QPoint(-60, 20));
    QTest::qWait(600);
    shoot(window, prefix + QStringLiteral("6-failed"));

    shootLab(window, *lab, prefix);
    window.findChild<QTabWidget*>(QStringLiteral("labTabs"))->setCurrentIndex(3);
    shoot(window, prefix + QStringLiteral("8-lab-paths"));
    QTest::keyClick(&window, Qt::Key_F2);
    window.findChild<QTabWidget*>(QStringLiteral("memoryTabs"))->setCurrentIndex(1);
    shootCompare(window, *model, prefix);

    QDir(temporary.path()).mkdir(QStringLiteral("images"));
    shootImages(window, QDir(samples), QDir(temporary.filePath(QStringLiteral("images"))), prefix);

    for (QAction* action : window.findChildren<QAction*>())
        if (action->menuRole() == QAction::AboutRole)
            action->trigger();
    QTest::qWait(200);
    window.findChild<AboutDialog*>()->grab().save(prefix + QStringLiteral("9-about.png"));
    window.findChild<AboutDialog*>()->close();

    shootPast(window, prefix);
    window.close();
    return 0;
}
