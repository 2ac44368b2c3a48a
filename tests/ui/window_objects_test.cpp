// SPDX-License-Identifier: GPL-3.0-or-later
// The objects of an image: found one after the other, named, deleted, and every step taken back.
#include "tests/ui/window_test.h"
#include "ui/mask_list.h"

#include <QAction>
#include <QLineEdit>
#include <QMenuBar>

namespace maskscope {

class WindowObjectsTest : public WindowTest {
    Q_OBJECT

    void undo() { QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier); }
    void redo() {
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    }
    QString name(int row) const { return list().model()->index(row, 0).data().toString(); }
    QStringList names() const {
        QStringList names;
        for (int row = 0; row < maskCount(); ++row)
            names += name(row);
        return names;
    }
    void find(const QString& words, int objects) {
        typeAndRun(words);
        QTRY_VERIFY(isIdle() && maskCount() == objects);
    }
    void click(double x, double y, int objects) {
        const auto before = m_model->requests().size();
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(x, y));
        QTRY_VERIFY(isIdle() && m_model->requests().size() == before + 1);
        QTRY_COMPARE(maskCount(), objects);
        QTRY_VERIFY(canUndo());
    }
    bool canUndo() const {
        for (const QAction* action : m_window->findChildren<QAction*>())
            if (action->shortcuts().contains(QKeySequence(Qt::CTRL | Qt::Key_Z)))
                return action->isEnabled();
        return false;
    }

private Q_SLOTS:
    void anotherRequestAddsToWhatWasFound() {
        openImage();
        find(QStringLiteral("the cat"), 2);
        FakeAnswer dog;
        dog.pieces = {"A", " dog", " <|mask|>"};
        dog.labels = {"dog"};
        m_model->setAnswer(dog);
        find(QStringLiteral("the dog"), 3);
        QCOMPARE(names(),
            (QStringList{
                QStringLiteral("1  cat"), QStringLiteral("2  cup"), QStringLiteral("3  dog")}));
        dog.lastMaskEmpty = true;
        m_model->setAnswer(dog);
        find(QStringLiteral("the dog"), 3); // the same words find the same anew
        QVERIFY(answer().toPlainText().contains(QStringLiteral("Mask 3 is empty")));
        QVERIFY(answer().toPlainText().contains(QStringLiteral("dog")));
    }

    void aFailedRunTakesNothingAway() {
        openImage();
        find(QStringLiteral("the cat"), 2);
        FakeAnswer failing;
        failing.failure = Error{ErrorKind::Memory, "Too much."};
        m_model->setAnswer(failing);
        typeAndRun(QStringLiteral("the cat"));
        QTRY_VERIFY(isIdle() && m_model->requests().size() == 2);
        QCOMPARE(maskCount(), 2);
    }

    void everyStepIsTakenBackAndDoneAgain() {
        openImage();
        QVERIFY(!canUndo());
        find(QStringLiteral("the cat"), 2);
        QTRY_VERIFY(canUndo());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        click(160, 120, 3);
        click(170, 120, 3); // refines the same object
        press("clearButton"); // the next one
        click(60, 60, 4);
        list().setFocus();
        list().selectRow(0);
        QTest::keyClick(&list(), Qt::Key_Delete);
        QCOMPARE(maskCount(), 3);
        const QStringList last = names();
        for (const int objects : {4, 3, 3, 3, 2, 0}) {
            undo();
            QCOMPARE(maskCount(), objects);
        }
        QVERIFY(!canUndo());
        QVERIFY(answer().toPlainText().isEmpty());
        for (const int objects : {2, 3, 3, 3, 4, 3}) {
            redo();
            QCOMPARE(maskCount(), objects);
        }
        QCOMPARE(names(), last);
        undo(); // and on from there
        QCOMPARE(maskCount(), 4);
        click(70, 60, 4); // refines the one whose click is back
        QCOMPARE(m_model->requests().back().points.size(), std::size_t(2));
    }

    void namesAreGivenAndTakenBack() {
        openImage();
        find(QStringLiteral("the cat"), 2);
        QTRY_VERIFY(canUndo());
        list().selectRow(0);
        list().setFocus();
        QTest::keyClick(&list(), Qt::Key_Return);
        auto* editor = list().findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        QCOMPARE(editor->text(), QStringLiteral("cat"));
        QTest::keyClicks(editor, QStringLiteral("<b>Felix</b>"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(name(0), QStringLiteral("1  <b>Felix</b>"));
        find(QStringLiteral("the cat"), 3); // what has a name is not found anew
        QCOMPARE(name(0), QStringLiteral("1  <b>Felix</b>"));
        undo();
        undo();
        QCOMPARE(name(0), QStringLiteral("1  cat"));
        redo();
        QCOMPARE(name(0), QStringLiteral("1  <b>Felix</b>"));
    }

    void undoIsTheWindowsWhereTextWasAsked() {
        openImage();
        find(QStringLiteral("the cat"), 2);
        QTRY_VERIFY(canUndo());
        edit().setFocus();
        QTest::keyClick(&edit(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(maskCount(), 0);
        QCOMPARE(edit().text(), QStringLiteral("the cat"));
        QTest::keyClick(&edit(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(maskCount(), 2);
        QTest::keyClicks(&edit(), QStringLiteral("s"));
        QTest::keyClick(&edit(), Qt::Key_Z, Qt::ControlModifier); // first what is being typed
        QCOMPARE(maskCount(), 2);
        QCOMPARE(edit().text(), QStringLiteral("the cat"));
    }

    void aNameEndsWhatClicksFind() {
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        click(160, 120, 1);
        m_window->findChild<MaskList*>()->model()->setData(
            list().model()->index(0, 0), QStringLiteral("shoe"), Qt::EditRole);
        QCOMPARE(name(0), QStringLiteral("1  shoe"));
        click(60, 60, 2);
        QCOMPARE(m_model->requests().back().points.size(), std::size_t(1));
        QCOMPARE(name(0), QStringLiteral("1  shoe"));
    }

    void hidingIsNoStep() {
        openImage();
        find(QStringLiteral("the cat"), 2);
        QTRY_VERIFY(canUndo());
        list().setFocus();
        list().selectRow(1);
        QTest::keyClick(&list(), Qt::Key_Delete);
        QCOMPARE(maskCount(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier);
        undo();
        QCOMPARE(maskCount(), 2);
        QCOMPARE(list().model()->index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(WindowObjectsTest)
#include "window_objects_test.moc"
