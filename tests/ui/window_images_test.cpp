// SPDX-License-Identifier: GPL-3.0-or-later
// Several images in the window: folders, the list, and going from one to the next.
#include "tests/ui/window_test.h"
#include "ui/image_model.h"

#include <QAction>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace maskscope {

class WindowImagesTest : public WindowTest {
    Q_OBJECT

    QListView& images() const { return find<QListView>("imageList"); }
    QString stateText(int row) const {
        return images().model()->index(row, 0).data(ImageModel::kStateTextRole).toString();
    }
    bool shows(const char* name) const {
        return m_window->windowTitle().startsWith(QString::fromLatin1(name));
    }
    void openThree() {
        drop({file(QStringLiteral("a.png")), file(QStringLiteral("b.png"), Qt::darkRed),
            file(QStringLiteral("c.png"), Qt::darkBlue)});
        QTRY_VERIFY(shows("a.png") && canvas().isVisible());
    }

private Q_SLOTS:
    void aFolderThatIsDroppedIsListed() {
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("holiday")));
        for (const char* name : {"holiday/10.png", "holiday/9.png", "holiday/1.png"})
            file(QString::fromLatin1(name));
        QVERIFY(!find<QWidget>("imageDock").isVisible());
        drop({m_folder->filePath(QStringLiteral("holiday"))});
        QTRY_VERIFY(shows("1.png"));
        QTRY_VERIFY(!find<QPushButton>("scanStop").isVisible());
        QVERIFY(find<QWidget>("imageDock").isVisible());
        QCOMPARE(images().model()->rowCount(), 3);
        QCOMPARE(find<QLabel>("imageHead").text(), QStringLiteral("1 of 3"));
        QVERIFY(m_settings->recentFiles().first().endsWith(QStringLiteral("holiday")));
        QVERIFY(!message().isVisible());
        QTRY_VERIFY(
            !images().model()->index(2, 0).data(Qt::DecorationRole).value<QImage>().isNull());
    }

    void aFolderWithoutImagesIsTold() {
        openImage();
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("empty")));
        m_window->openFile(m_folder->filePath(QStringLiteral("empty")));
        QTRY_VERIFY(message().isVisible());
        QVERIFY(message().text().contains(QStringLiteral("empty")));
        QVERIFY(shows("a.png"));
    }

    void lettersGoFromImageToImage() {
        openThree();
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_D);
        QTRY_VERIFY(shows("b.png"));
        QTest::keyClick(&canvas(), Qt::Key_D); // the focus has stayed
        QTRY_VERIFY(shows("c.png"));
        QCOMPARE(images().currentIndex().row(), 2);
        QTest::keyClick(&canvas(), Qt::Key_A);
        QTRY_VERIFY(shows("b.png"));
        images().setFocus();
        QTest::keyClick(&images(), Qt::Key_A);
        QTRY_VERIFY(shows("a.png"));
        QTest::keyClick(&images(), Qt::Key_Down);
        QTRY_VERIFY(shows("b.png"));
    }

    void lettersAreTextWhereTextIsTyped() {
        openThree();
        edit().setFocus();
        edit().clear();
        QTest::keyClicks(&edit(), QStringLiteral("a dad"));
        QCOMPARE(edit().text(), QStringLiteral("a dad"));
        QTest::keyClick(&edit(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(shows("b.png"));
        QTest::keyClick(m_window.get(), Qt::Key_F3); // on other pages they mean nothing
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::qWait(50);
        QVERIFY(shows("b.png"));
    }

    void aClickInTheListShowsTheImage() {
        openThree();
        const QRect third = images().visualRect(images().model()->index(2, 0));
        QTest::mouseClick(images().viewport(), Qt::LeftButton, {}, third.center());
        QTRY_VERIFY(shows("c.png"));
    }

    void eachImageKeepsMasksPromptsAndAnswer() {
        openThree();
        typeAndRun(QStringLiteral("find them"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        const QString answered = answer().toPlainText();
        QTRY_COMPARE(stateText(0), QStringLiteral("2 masks, not saved"));
        canvas().setFocus();
        QTest::keyClick(&canvas(), Qt::Key_D);
        QTRY_VERIFY(shows("b.png"));
        QCOMPARE(maskCount(), 0);
        QVERIFY(answer().toPlainText().isEmpty());
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(160, 120));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        QTRY_COMPARE(stateText(1), QStringLiteral("1 mask, not saved"));
        QTest::keyClick(&canvas(), Qt::Key_A);
        QTRY_VERIFY(shows("a.png"));
        QCOMPARE(maskCount(), 2);
        QCOMPARE(answer().toPlainText(), answered);
        QTest::keyClick(&canvas(), Qt::Key_D);
        QTRY_VERIFY(shows("b.png"));
        QCOMPARE(maskCount(), 1);
        QTest::mouseClick(&canvas(), Qt::RightButton, {}, onCanvas(40, 40)); // refines its own
        QTRY_VERIFY(isIdle() && m_model->requests().size() == 3);
        QCOMPARE(m_model->requests().back().points.size(), std::size_t(2));
    }

    void leavingEndsTheRunAndKeepsWhatWasFound() {
        openThree();
        answerSlowly(std::chrono::milliseconds(300)); // the second mask is far off
        typeAndRun(QStringLiteral("find them"));
        QTRY_COMPARE(maskCount(), 1);
        QCOMPARE(stateText(0), QStringLiteral("running…"));
        QTest::keyClick(m_window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(shows("b.png"));
        QVERIFY(isIdle());
        QTRY_COMPARE(stateText(0), QStringLiteral("1 mask, not saved"));
        QTRY_VERIFY(!m_session->isBusy());
        QCOMPARE(maskCount(), 0); // none has come over
    }

    void closingAsksBeforeMasksAreLost() {
        openThree();
        typeAndRun(QStringLiteral("find them"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        const auto question = [this] { return m_window->findChild<QMessageBox*>(); };
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(question() == nullptr);
        QVERIFY(shows("a.png") && maskCount() == 2);
        m_window->activateWindow(); // there is no window manager here
        QTRY_VERIFY(m_window->isActiveWindow());
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
        QTRY_VERIFY(question() != nullptr && question()->isVisible());
        const auto buttons = question()->buttons();
        for (QAbstractButton* button : buttons)
            if (question()->buttonRole(button) == QMessageBox::DestructiveRole)
                QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(shows("b.png"));
        QCOMPARE(maskCount(), 0);
        m_window->activateWindow();
        QTRY_VERIFY(m_window->isActiveWindow());
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!canvas().isVisible()); // nothing was to be lost
        QCOMPARE(images().model()->rowCount(), 0);
        QCOMPARE(m_window->windowTitle(), QStringLiteral("Maskscope"));
    }

    void everyActionOfTheMenusHasItsOwnKeys() {
        QMap<QString, QString> owners;
        const auto actions = m_window->findChildren<QAction*>();
        for (const QAction* action : actions)
            for (const QKeySequence& key : action->shortcuts()) {
                const QString name = key.toString();
                // Escape belongs to one of two at any time.
                QVERIFY2(!owners.contains(name) || name == QStringLiteral("Esc"),
                    qPrintable(name + QStringLiteral(": ") + action->text() + owners.value(name)));
                owners.insert(name, action->text());
            }
        for (const char* key : {"D", "A", "Ctrl+U", "Ctrl+G", "Ctrl+W", "Ctrl+F", "Ctrl+0"})
            QVERIFY2(owners.contains(QString::fromLatin1(key)), key);
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(WindowImagesTest)
#include "window_images_test.moc"
