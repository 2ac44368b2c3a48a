// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep on the Lab page: how it is asked for, run, drawn and written.
#include "tests/ui/lab_test.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/export_button.h"
#include "ui/refusals.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>

using namespace std::chrono_literals;

namespace maskscope {

class LabPageTest : public LabTest {
    Q_OBJECT

    QPushButton* step(const QString& title) const {
        for (QPushButton* button : find<Refusals>("refusals").findChildren<QPushButton*>())
            if (button->isVisible() && button->text().startsWith(title))
                return button;
        return nullptr;
    }

private Q_SLOTS:
    void measuresFitsAndDrawsASweep() {
        setSizes(QStringLiteral("256, 512, 768, 1024"));
        runToTheEnd();
        QCOMPARE(m_page->record().points.size(), 12U);
        QCOMPARE(m_lab->measured().size(), 12U);
        const QStringList first = row(points(), 0);
        QCOMPARE(first.at(2), first.at(3)); // this laboratory measures what is foretold
        QCOMPARE(first.at(6), QStringLiteral("16\u00a0ms"));
        const QString text = find<QLabel>("sweepText").text();
        QVERIFY(text.startsWith(QStringLiteral("12 points in")));
        QVERIFY2(text.contains(QStringLiteral("At 1024 patches mha takes")), qPrintable(text));

        plot().replot();
        const SweepPoint& last = m_page->record().points.at(3);
        const QPointF at(plot().xAxis->coordToPixel(double(last.patches)),
            plot().yAxis->coordToPixel(double(last.figures.extraPeakBytes)));
        QVERIFY(plot().textAt(at).startsWith(QStringLiteral("mha over 1,024 patches")));
        QVERIFY(plot().textAt(at + QPointF(0, -80)).isEmpty());
        const QImage picture = plot().grab().toImage();
        QCOMPARE(picture.pixelColor((at * picture.devicePixelRatio()).toPoint()),
            colourOf(LayerPath::Mha));
    }

    void pointsAppearAsTheyCome() {
        m_lab->setPerPoint(300ms);
        setSizes(QStringLiteral("256, 512"));
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(!m_page->record().points.empty());
        QVERIFY(!isIdle());
        const auto measuring
            = [&](int index) { return row(points(), index).at(2) == QStringLiteral("measuring…"); };
        QTRY_VERIFY(measuring(3) || measuring(4));
        QTRY_VERIFY(isIdle());
        QCOMPARE(m_page->record().points.size(), 6U);
    }

    void stoppingKeepsWhatWasMeasured() {
        m_lab->setPerPoint(100ms);
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(m_page->record().points.size() >= 2);
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
        const auto count = m_page->record().points.size();
        QVERIFY(count >= 2 && count < 13);
        QCOMPARE(find<QLabel>("sweepText").text().section(u' ', 0, 2),
            QStringLiteral("%1 of 15").arg(count));
    }

    void leavingWhileItRunsDoesNotWait() {
        m_lab->setPerPoint(20'000ms);
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(!m_lab->measured().empty());
        QElapsedTimer time;
        time.start();
        m_page.reset();
        QVERIFY2(time.elapsed() < 1000, qPrintable(QString::number(time.elapsed())));
    }

    void memoryThatEndsIsShownWithWaysOn() {
        // mha over 3,136 patches takes more than the 1 GiB of this laboratory.
        runToTheEnd();
        QCOMPARE(m_page->record().points.size(), 3U + 5U + 5U);
        QCOMPARE(m_page->record().ends.size(), 1U);
        QCOMPARE(row(points(), 3).at(2), QStringLiteral("out of memory"));
        QCOMPARE(row(points(), 4).at(2), QStringLiteral("left out"));
        const auto& refusal = find<MessageBar>("refusal");
        QVERIFY(refusal.isVisible());
        QVERIFY(refusal.text().startsWith(QStringLiteral("mha over 3136 patches needs about")));
        QVERIFY(step(QStringLiteral("Measure")) == nullptr); // the others are in the sweep already

        QPushButton* fitting = step(QStringLiteral("Only sizes that fit, to 2,560"));
        QVERIFY(fitting != nullptr);
        QTest::mouseClick(fitting, Qt::LeftButton);
        QTRY_COMPARE(m_page->record().points.size(), 9U);
        QTRY_VERIFY(isIdle());
        QVERIFY(m_page->record().ends.empty());
        QVERIFY(!find<Refusals>("refusals").isVisible());
        QCOMPARE(find<QLineEdit>("sizesEdit").text(), QStringLiteral("1024, 1944, 2560"));
    }

    void anotherPathIsOneClickAway() {
        choosePaths({QStringLiteral("mha")});
        setSizes(QStringLiteral("4000"));
        runToTheEnd();
        QPushButton* other = step(QStringLiteral("Measure sdpa instead"));
        QVERIFY(other != nullptr);
        QTest::mouseClick(other, Qt::LeftButton);
        QTRY_COMPARE(m_page->record().points.size(), 1U);
        QVERIFY(m_page->record().points.front().path == LayerPath::Sdpa);
        QVERIFY(!find<QCheckBox>("path_mha").isChecked());
    }

    void whatCannotBeMeantIsToldWhileItIsTyped() {
        setSizes(QStringLiteral("1024, cat"));
        QVERIFY(!runButton().isEnabled());
        QVERIFY(find<QLabel>("sweepText").text().contains(QStringLiteral("“cat”")));
        setSizes(QStringLiteral("0.5MP, 2 MP"));
        QVERIFY(!runButton().isEnabled()); // "MP" alone is none
        setSizes(QStringLiteral("0.5MP 2MP"));
        QVERIFY(runButton().isEnabled());
        QCOMPARE(row(points(), 1).at(1), QStringLiteral("7,776"));
        choosePaths({});
        QVERIFY(!runButton().isEnabled());
        choosePaths({QStringLiteral("cpp-module")});
        QVERIFY(runButton().isEnabled());
        find<QSpinBox>("headsBox").setValue(7);
        QVERIFY(!runButton().isEnabled());
    }

    void aPathThatIsNotHereSaysWhy() {
        QVERIFY(!find<QCheckBox>("path_ring").isEnabled());
        QVERIFY(find<QLabel>("pathReason").isVisible());
        QVERIFY(find<QLabel>("pathReason").text().contains(QStringLiteral("it needs two devices")));
    }

    void looksIntoThePeakOfAPoint() {
        setSizes(QStringLiteral("256, 512"));
        auto& button = find<QPushButton>("pointPeakButton");
        QVERIFY(!button.isEnabled());
        QVERIFY(button.toolTip().contains(QStringLiteral("No point was measured")));
        runToTheEnd();
        QVERIFY(button.isEnabled()); // without a current point it is the highest
        QVERIFY(button.toolTip().contains(QStringLiteral("mha over 512 patches")));
        QSignalSpy wanted(m_page.get(), &LabPage::anatomyWanted);
        const auto last = [&] {
            return std::get<LayerAnatomyQuestion>(wanted.back().front().value<AnatomyQuestion>())
                .shape;
        };
        points().setFocus();
        points().setCurrentCell(1, 0);
        QVERIFY(button.isEnabled());
        QTest::keyClick(&points(), Qt::Key_Return);
        QCOMPARE(wanted.count(), 1);
        QVERIFY(last().path == LayerPath::Mha);
        QCOMPARE(last().patches, 512);
        QVERIFY(wanted.back().at(2).toDouble() > 0); // how long it took
        points().setCurrentCell(2, 0);
        button.click();
        QCOMPARE(wanted.count(), 2);
        QVERIFY(last().path == LayerPath::Sdpa);
        QCOMPARE(last().patches, 256);
        // The same point in the plot.
        plot().replot();
        const SweepPoint& point = m_page->record().points.front();
        QTest::mouseClick(&plot(), Qt::LeftButton, {},
            QPointF(plot().xAxis->coordToPixel(double(point.patches)),
                plot().yAxis->coordToPixel(double(point.figures.extraPeakBytes)))
                .toPoint());
        QCOMPARE(wanted.count(), 3);
        QVERIFY(last().path == point.path);
    }

    void aNoteGoesWithItsPage() {
        const int top = find<QSlider>("sizeSlider").mapTo(m_page.get(), QPoint()).y();
        m_page->showNote(QStringLiteral("Wrote a file."));
        QVERIFY(message().isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(find<QSlider>("sizeSlider").mapTo(m_page.get(), QPoint()).y(), top);
        m_page->hide();
        m_page->show();
        QVERIFY(!message().isVisible());
        m_page->showError({ErrorKind::Input, "The disk is full."});
        m_page->hide();
        m_page->show();
        QVERIFY(message().isVisible());
    }

    void exportsWhatWasMeasured() {
        auto& button = find<ExportButton>("exportButton");
        QVERIFY(!button.isEnabled());
        QCOMPARE(button.toolTip(), QStringLiteral("There is nothing to write yet"));
        setSizes(QStringLiteral("256, 512, 1024"));
        runToTheEnd();
        QVERIFY(button.isEnabled());
        const QString file = m_folder.filePath(QStringLiteral("sweep.json"));
        button.writeTo(file);
        QTRY_VERIFY(message().text().contains(QStringLiteral("sweep.json")));
        QFile read(file);
        QVERIFY(read.open(QIODevice::ReadOnly));
        const QJsonObject json = QJsonDocument::fromJson(read.readAll()).object();
        QCOMPARE(json[QStringLiteral("points")].toArray().size(), 9);
        QVERIFY(json[QStringLiteral("sweep")][QStringLiteral("machine")].toString().contains(
            QStringLiteral("LibTorch 9.9.9")));
        button.writeTo(m_folder.filePath(QStringLiteral("nowhere/sweep.csv")));
        QTRY_VERIFY(message().text().contains(QStringLiteral("nowhere")));
    }

    void theKeyboardReachesEverything() {
        QSet<QString> reached;
        find<QSlider>("sizeSlider").setFocus();
        for (int i = 0; i < 60; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            if (const QWidget* focus = QApplication::focusWidget())
                reached += focus->objectName();
        }
        for (const char* name : {"sizeSlider", "planMemoryBox", "useSizeButton", "path_mha",
                 "presetBox", "sizesEdit", "headsBox", "precisionBox", "sweepButton",
                 "logarithmicBox", "publishedBox", "pointTable"})
            QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    }

    void everythingHasANameForScreenReaders() {
        QStringList nameless;
        for (QWidget* widget : m_page->findChildren<QWidget*>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus
                || widget->objectName().startsWith(QStringLiteral("qt_")))
                continue;
            const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            if (accessible == nullptr || accessible->text(QAccessible::Name).isEmpty())
                nameless += QString::fromLatin1(widget->metaObject()->className()) + u' '
                    + widget->objectName();
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::LabPageTest)
#include "lab_page_test.moc"
