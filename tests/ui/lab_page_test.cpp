// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab_page.h"

#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/export_button.h"
#include "ui/figure_table.h"
#include "ui/graph_axis.h"
#include "ui/message_bar.h"
#include "ui/refusals.h"
#include "ui/size_planner.h"
#include "ui/sweep_plot.h"

#include <QAccessible>
#include <QCheckBox>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace std::chrono_literals;

namespace maskscope {

class LabPageTest : public UiTest {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<FakeLab> m_lab;
    std::unique_ptr<LabPage> m_page;

    template <class T>
    T& find(const char* name) const {
        return childNamed<T>(*m_page, name);
    }
    FigureTable& points() const { return find<FigureTable>("pointTable"); }
    QPushButton& runButton() const { return find<QPushButton>("sweepButton"); }
    SweepPlot& plot() const { return find<SweepPlot>("sweepPlot"); }
    MessageBar& message() const { return find<MessageBar>("labMessages"); }
    bool isIdle() const { return m_page->state() == SweepJob::State::Idle; }

    void choosePaths(const QStringList& names) const {
        for (QCheckBox* box : m_page->findChildren<QCheckBox*>())
            if (box->objectName().startsWith(QStringLiteral("path_")))
                box->setChecked(names.contains(box->text()));
    }
    void setSizes(const QString& sizes) const { find<QLineEdit>("sizesEdit").setText(sizes); }
    void runToTheEnd() const {
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
    }
    QStringList row(const FigureTable& table, int index) const {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column)
            cells += table.item(index, column)->text();
        return cells;
    }
    QPushButton* step(const QString& title) const {
        for (QPushButton* button : find<Refusals>("refusals").findChildren<QPushButton*>())
            if (button->isVisible() && button->text().startsWith(title))
                return button;
        return nullptr;
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_lab = std::make_shared<FakeLab>();
        m_page = std::make_unique<LabPage>(FakeLab::toolsFor(m_lab));
        m_page->setModel(FakeLab::model());
        m_page->resize(1100, 720);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(find<QLabel>("labHeadline").text().contains(QStringLiteral("up to")));
    }
    void cleanup() { m_page.reset(); }

    void foretellsBeforeAnythingRuns() {
        QCOMPARE(points().rowCount(), 3 * 5);
        LayerShape shape;
        shape.path = LayerPath::Mha;
        shape.patches = 1024;
        QCOMPARE(row(points(), 0),
            (QStringList{QStringLiteral("mha"), QStringLiteral("1,024"), QStringLiteral("–"),
                sizeText(layerPeakBytes(shape, FakeLab::kThreads)), QStringLiteral("–"),
                QStringLiteral("–"), QStringLiteral("–")}));
        QVERIFY(m_lab->measured().empty());
        setSizes(QStringLiteral("64, 128"));
        QCOMPARE(points().rowCount(), 3 * 2);
    }

    void measuresFitsAndDrawsASweep() {
        setSizes(QStringLiteral("256, 512, 768, 1024"));
        runToTheEnd();
        QCOMPARE(m_page->record().points.size(), 12U);
        QCOMPARE(m_lab->measured().size(), 12U);
        const QStringList first = row(points(), 0);
        QCOMPARE(first.at(2), first.at(3)); // this laboratory measures what is foretold
        QCOMPARE(first.at(6), QStringLiteral("16\u00a0ms"));
        const FigureTable& fits = find<FigureTable>("fitTable");
        QCOMPARE(fits.rowCount(), 6);
        // Two matrices of 16 heads x P x P x 4 bytes.
        QCOMPARE(row(fits, 0).at(1), QStringLiteral("quadratic"));
        QCOMPARE(row(fits, 0).at(3), QStringLiteral("128.000 bytes"));
        QCOMPARE(
            row(fits, 2).mid(0, 2), (QStringList{QStringLiteral("sdpa"), QStringLiteral("line")}));
        QVERIFY(find<QLabel>("sweepText").text().startsWith(QStringLiteral("12 points in")));

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

    void whatEachPathCanIsATable() {
        const FigureTable& table = find<FigureTable>("capabilityTable");
        QTRY_COMPARE(table.rowCount(), 4);
        QCOMPARE(row(table, 0).mid(0, 4),
            (QStringList{QStringLiteral("mha"), QStringLiteral("yes"), QStringLiteral("yes"),
                QStringLiteral("no")}));
        QCOMPARE(row(table, 2),
            (QStringList{QStringLiteral("flash"), QStringLiteral("yes"), QStringLiteral("no"),
                QStringLiteral("yes"), QStringLiteral("none: tokens are packed"),
                QStringLiteral("fp32, bf16"), QStringLiteral("cpu"), QString()}));
        QCOMPARE(
            row(table, 3).last(), QStringLiteral("it needs two devices, and this machine has one"));
    }

    void looksIntoThePeakOfAPoint() {
        setSizes(QStringLiteral("256, 512"));
        auto& button = find<QPushButton>("pointPeakButton");
        QVERIFY(!button.isEnabled()); // nothing is measured
        runToTheEnd();
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
        find<QTabWidget>("labTabs").setCurrentIndex(1);
        QVERIFY(!button.isEnabled()); // it is the points that have peaks
    }

    void theHeadlineIsWhatFits() {
        // 64 P^2 + 12,000 P = 0.9 * 20 GiB at P = 17,285: 4.42 MP.
        const QString text = find<QLabel>("labHeadline").text();
        QVERIFY2(text.contains(
                     QStringLiteral("This machine, 20.0\u00a0GiB free: mha up to 4.4\u00a0MP")),
            qPrintable(text));
        // 40,000 P: P = 483,183, 123 MP.
        QVERIFY2(text.contains(QStringLiteral("sdpa up to 12")), qPrintable(text));
        find<QDoubleSpinBox>("planMemoryBox").setValue(2);
        const QString other = find<QLabel>("labHeadline").text();
        QVERIFY2(other.startsWith(QStringLiteral("With 2.00\u00a0GiB: mha up to 1.4\u00a0MP")),
            qPrintable(other));
    }

    void shrinksTheSegmentationPageToWhatFits() {
        const QSignalSpy chosen(m_page.get(), &LabPage::pixelsChosen);
        auto& slider = find<QSlider>("sizeSlider");
        auto& use = find<QPushButton>("useSizeButton");
        m_page->setRunPath(AttentionPath::Mha);
        QVERIFY(use.text().contains(QStringLiteral("egment at 2.0")));
        slider.setValue(slider.maximum());
        QVERIFY(use.text().remove(u'&').startsWith(QStringLiteral("Shrink to fit: 4.4")));
        QTest::mouseClick(&use, Qt::LeftButton);
        QCOMPARE(chosen.count(), 1);
        const qint64 pixels = chosen.at(0).at(0).toLongLong();
        QVERIFY(pixels > 4'300'000 && pixels < 4'500'000);
        m_page->setRunPath(AttentionPath::Auto); // sdpa, which takes more than the model accepts
        QTest::mouseClick(&use, Qt::LeftButton);
        QCOMPARE(chosen.at(1).at(0).toLongLong(), FakeLab::kMostPixels);
    }

    void publishedFiguresStandBesideOurs() {
        setSizes(QStringLiteral("1024"));
        runToTheEnd();
        const FigureTable& table = find<FigureTable>("publishedTable");
        QCOMPARE(row(table, 0).mid(0, 5),
            (QStringList{QStringLiteral("0.5 MP"), QStringLiteral("1,944"),
                QStringLiteral("0.86 GB"), QStringLiteral("0.86 GB"), QStringLiteral("0.46 GB")}));
        QVERIFY(row(table, 0).at(5).startsWith(u'≈')); // foretold
        const QStringList layer = row(table, table.rowCount() - 1);
        QCOMPARE(layer.at(2), QStringLiteral("172\u00a0MiB"));
        QCOMPARE(layer.at(5), row(points(), 0).at(2)); // measured
        find<QCheckBox>("publishedBox").click();
        plot().replot();
        const QPointF at(plot().xAxis->coordToPixel(11616), plot().yAxis->coordToPixel(18.02e9));
        QVERIFY(plot().textAt(at).contains(QStringLiteral("RTX 5090")));
        find<QCheckBox>("logarithmicBox").click();
        QCOMPARE(plot().yAxis->scaleType(), QCPAxis::stLogarithmic);
    }

    void exportsWhatWasMeasured() {
        auto& button = find<ExportButton>("exportButton");
        QVERIFY(!button.isEnabled());
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

    void aTableIsCopiedForASpreadsheet() {
        setSizes(QStringLiteral("256"));
        points().setFocus();
        QTest::keyClick(&points(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.at(0).section(u'\t', 0, 1), QStringLiteral("Path\tPatches"));
        QVERIFY(lines.at(1).startsWith(QStringLiteral("mha\t256\t")));
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
