// SPDX-License-Identifier: GPL-3.0-or-later
// What the Lab page foretells, and its tables.
#include "core/model/model_size.h"
#include "tests/ui/lab_test.h"
#include "ui/graph_axis.h"
#include "ui/size_plan.h"
#include "ui/slider_marks.h"

#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <algorithm>

namespace maskscope {

class LabFiguresTest : public LabTest {
    Q_OBJECT

private Q_SLOTS:
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

    void theLawThatHoldsComesFirst() {
        setSizes(QStringLiteral("1024, 1500, 1944, 2560"));
        runToTheEnd();
        const FigureTable& fits = find<FigureTable>("fitTable");
        QCOMPARE(fits.rowCount(), 3 * 3 + 2); // the law in words and two curves; at last published
        const QString law = row(fits, 0).first();
        QVERIFY2(law.contains(QStringLiteral("mha grows with P²: 128.0 bytes x P² = 2 matrices")),
            qPrintable(law));
        QCOMPARE(fits.columnSpan(0, 0), fits.columnCount());
        QCOMPARE(row(fits, 1).mid(1, 2),
            (QStringList{QStringLiteral("quadratic"), QStringLiteral("128.000 bytes")}));
        QCOMPARE(row(fits, 1).last(), QStringLiteral("yes"));
        QCOMPARE(row(fits, 2).at(1), QStringLiteral("line"));
        QVERIFY(row(fits, 2).last().startsWith(QStringLiteral("no: ")));
        QCOMPARE(
            row(fits, 4).mid(0, 2), (QStringList{QStringLiteral("sdpa"), QStringLiteral("line")}));
        QCOMPARE(row(fits, 4).last(), QStringLiteral("yes"));
        QVERIFY(row(fits, 5).last().startsWith(QStringLiteral("no: ")));
        QCOMPARE(row(fits, 10).at(2), QStringLiteral("119.600 bytes"));
    }

    void aLineThroughThreePointsOfMhaIsNoLaw() {
        choosePaths({QStringLiteral("mha")});
        setSizes(QStringLiteral("256, 512, 768"));
        runToTheEnd();
        const FigureTable& fits = find<FigureTable>("fitTable");
        QVERIFY(row(fits, 0).first().contains(QStringLiteral("too few sizes")));
        QCOMPARE(row(fits, 1).at(1), QStringLiteral("line"));
        QCOMPARE(row(fits, 1).last(), QStringLiteral("no"));
    }

    void tablesUseTheWidth() {
        const FigureTable& table = points();
        QCOMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        m_page->resize(1400, 720);
        QTRY_COMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        const QLineEdit& sizes = find<QLineEdit>("sizesEdit");
        QVERIFY(sizes.fontMetrics().horizontalAdvance(sizes.text()) < sizes.width());
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
        const auto heading = [&](int index, const char* part) {
            return table.columnSpan(index, 0) == table.columnCount()
                && row(table, index).first().contains(QString::fromLatin1(part));
        };
        // A whole mask pass beside a whole mask pass.
        QCOMPARE(table.rowCount(), 2 * (1 + 5) + 2 * (1 + 1));
        QVERIFY(heading(0, "RTX 5090, bf16, whole mask pass"));
        QCOMPARE(row(table, 1),
            (QStringList{QStringLiteral("0.5 MP"), QStringLiteral("1,944"), QStringLiteral("0.86"),
                QStringLiteral("0.46"), QStringLiteral("1.9 x less")}));
        QVERIFY(heading(6, "Test processor, fp32, whole mask pass"));
        // 64 P^2 + 12,000 P bytes against 12,000 P.
        QCOMPARE(row(table, 7),
            (QStringList{QStringLiteral("0.5 MP"), QStringLiteral("1,944"), QStringLiteral("0.27"),
                QStringLiteral("0.023"), QStringLiteral("11 x less")}));
        // One layer beside the same, in growth of the process.
        QVERIFY(heading(12, "one attention layer of 16 heads and width 1,024, fp32, CPU"));
        QCOMPARE(row(table, 13).mid(2),
            (QStringList{
                QStringLiteral("0.18"), QStringLiteral("0.046"), QStringLiteral("3.9 x less")}));
        QVERIFY(heading(14, "Measured: the same layer"));
        find<QSpinBox>("headsBox").setValue(8);
        runToTheEnd();
        QVERIFY(heading(14, "Predicted: the tensors of the same layer")); // another was measured
        find<QCheckBox>("publishedBox").click();
        plot().replot();
        const QPointF at(plot().xAxis->coordToPixel(11616), plot().yAxis->coordToPixel(18.02e9));
        QVERIFY(plot().textAt(at).contains(QStringLiteral("RTX 5090")));
        find<QCheckBox>("logarithmicBox").click();
        QCOMPARE(plot().yAxis->scaleType(), QCPAxis::stLogarithmic);
    }

    void countsThePatchesOfThePictureThatIsOpen() {
        const auto text = [&] { return find<QLabel>("sizeLabel").text(); };
        QVERIFY2(text().contains(QStringLiteral("2.0\u00a0MP, 7,776 patches\nof a 3:2 picture")),
            qPrintable(text()));
        m_page->setPicture(makePicture(gradient(64, 48), QStringLiteral("cups.png"), {}));
        const QString run = countText(modelSize(64, 48, 2'000'000).patches());
        QVERIFY2(
            text().contains(run + QStringLiteral(" patches\nof cups.png")), qPrintable(text()));
        m_page->setPicture(nullptr);
        QVERIFY(text().contains(QStringLiteral("7,776")));
    }

    void aMarkBelowTheSliderSetsIt() {
        auto& marks = *m_page->findChild<SliderMarks*>();
        const auto& sizes = roundImageSizes();
        const auto value = std::ranges::find(sizes, 8'000'000) - sizes.begin();
        QTest::mouseClick(
            &marks, Qt::LeftButton, {}, QPoint(int(marks.placeOf(int(value))), marks.height() - 3));
        QVERIFY(find<QLabel>("sizeLabel").text().startsWith(QStringLiteral("8.0\u00a0MP")));
    }

    void aTableIsCopiedForASpreadsheet() {
        setSizes(QStringLiteral("256"));
        points().setFocus();
        QTest::keyClick(&points(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n');
        QCOMPARE(lines.at(0).section(u'\t', 0, 1), QStringLiteral("Path\tPatches"));
        QVERIFY(lines.at(1).startsWith(QStringLiteral("mha\t256\t")));
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::LabFiguresTest)
#include "lab_figures_test.moc"
