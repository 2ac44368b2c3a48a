// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_model.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"
#include "ui/mask_list.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace maskscope {

namespace {

std::shared_ptr<const Mask> disc(double radius, const std::string& label, int token) {
    Mask mask = ellipse(100, 80, 50, 40, radius, radius);
    mask.label = label;
    mask.tokenIndex = token;
    mask.score = 0.875F;
    return std::make_shared<const Mask>(std::move(mask));
}

} // namespace

class MaskModelTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void behavesAsAModel() {
        MaskModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.add(disc(20, "cat", 2));
        model.add(disc(5, "", -1));
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void showsLabelScoreAndArea() {
        MaskModel model;
        model.add(disc(20, "<b>cat</b>", 2));
        model.add(disc(0, "", -1));
        const auto text = [&](int row, int column) {
            return model.index(row, column).data(Qt::DisplayRole).toString();
        };
        QCOMPARE(text(0, MaskModel::Label), QStringLiteral("1  <b>cat</b>"));
        QCOMPARE(text(0, MaskModel::Score), QLocale().toString(0.88, 'f', 2));
        QVERIFY(text(0, MaskModel::Area)
                    .startsWith(QLocale().toString(qlonglong(model.row(0).mask->area))));
        QCOMPARE(text(1, MaskModel::Label), QStringLiteral("2  Object 2"));
        QCOMPARE(text(1, MaskModel::Area), QStringLiteral("empty"));
        QCOMPARE(model.index(0, 0).data(Qt::DecorationRole).value<QColor>(), colourOfMask(0));
    }

    void findsTheMaskUnderAPixelAndOfAToken() {
        MaskModel model;
        model.add(disc(30, "large", 4));
        model.add(disc(10, "small", 9));
        QTRY_VERIFY(model.row(1).runs != nullptr);
        QCOMPARE(model.rowAt(50, 40).value_or(-1), 1); // the smaller one is on top
        QCOMPARE(model.rowAt(50, 62).value_or(-1), 0);
        QVERIFY(!model.rowAt(1, 1).has_value());
        QVERIFY(!model.rowAt(-1, 500).has_value());
        QCOMPARE(model.rowOfToken(9).value_or(-1), 1);
        QVERIFY(!model.rowOfToken(5).has_value());
        model.setData(model.index(1, 0), Qt::Unchecked, Qt::CheckStateRole);
        QCOMPARE(model.rowAt(50, 40).value_or(-1), 0);
        model.setAllVisible(Visibility::Hidden);
        QVERIFY(!model.isAnyShown());
    }

    void keepsRunsInPlaceOfBits() {
        MaskModel model;
        const auto mask = disc(20, "cat", 2);
        model.add(mask);
        QCOMPARE(model.row(0).mask->bits, mask->bits);
        QTRY_VERIFY(model.row(0).runs != nullptr);
        QVERIFY(model.row(0).mask->bits.empty());
        QCOMPARE(model.row(0).mask->area, mask->area);
        QCOMPARE(model.row(0).mask->bbox, mask->bbox);
        QCOMPARE(model.row(0).mask->label, mask->label);
        QCOMPARE(model.row(0).mask->tokenIndex, 2);
    }

    void runsOfClearedMasksAreDropped() {
        MaskModel model;
        model.add(disc(30, "old", 1));
        model.clear();
        model.add(disc(10, "new", 1));
        QTRY_VERIFY(model.row(0).runs != nullptr);
        QCOMPARE(model.row(0).runs->bbox[2], 20);
        QTest::qWait(30);
        QCOMPARE(model.row(0).runs->bbox[2], 20);
    }

    void theListSharesTheSelection() {
        MaskModel model;
        MaskList list(model);
        list.resize(320, 200);
        list.show();
        model.add(disc(30, "a", 1));
        model.add(disc(10, "b", 2));
        model.select(1);
        QCOMPARE(list.currentIndex().row(), 1);
        QTest::keyClick(&list, Qt::Key_Up);
        QCOMPARE(model.selected().value_or(-1), 0);
        QTest::keyClick(&list, Qt::Key_Space);
        QVERIFY(model.row(0).visibility == Visibility::Hidden);
        QTest::keyClick(&list, Qt::Key_Space);
        QVERIFY(model.row(0).visibility == Visibility::Shown);
        list.sortByColumn(MaskModel::Area, Qt::AscendingOrder);
        model.select(0); // the larger one is now the second line
        QCOMPARE(list.currentIndex().row(), 1);
        model.clear();
        QVERIFY(!model.selected().has_value());
        model.select(std::nullopt);
    }

    void hoveringGoesBeforeSelecting() {
        MaskModel model;
        model.add(disc(30, "a", 1));
        model.add(disc(10, "b", 2));
        const QSignalSpy changes(&model, &MaskModel::appearanceChanged);
        model.select(0);
        model.setHovered(1);
        QCOMPARE(model.emphasised().value_or(-1), 1);
        model.setHovered({});
        QCOMPARE(model.emphasised().value_or(-1), 0);
        QCOMPARE(changes.count(), 3);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::MaskModelTest)
#include "mask_model_test.moc"
