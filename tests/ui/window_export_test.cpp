// SPDX-License-Identifier: GPL-3.0-or-later
// The objects of an image become files, and what is in files is not asked about.
#include "tests/ui/window_test.h"

#include <QCheckBox>
#include <QDialog>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>

namespace maskscope {

class WindowExportTest : public WindowTest {
    Q_OBJECT

    WindowTools tools() const override {
        WindowTools tools = WindowTest::tools();
        tools.exportMasks = exportMasks;
        return tools;
    }

    void activate() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    QDialog* dialog() const {
        return m_window->findChild<QDialog*>(QStringLiteral("exportDialog"));
    }
    QString folder() const { return m_folder->filePath(QStringLiteral("out")); }
    QString stateText() const {
        const auto* images = m_window->findChild<QListView*>(QStringLiteral("imageList"));
        return images->model()->index(0, 0).data(Qt::UserRole).toString();
    }

    void findTwo() {
        openImage();
        typeAndRun(QStringLiteral("the cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
    }
    void check(ExportFormat format) {
        const QString name = QStringLiteral("format%1").arg(static_cast<int>(format));
        childNamed<QCheckBox>(*dialog(), qPrintable(name)).setChecked(true);
    }
    void openDialog() {
        QTRY_VERIFY(!dialog());
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_X, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(dialog() && dialog()->isVisible());
        childNamed<QLineEdit>(*dialog(), "exportFolder").setText(folder());
    }
    void accept() {
        QTest::keyClick(dialog(), Qt::Key_Return);
        QTRY_VERIFY(message().isVisible());
    }

private Q_SLOTS:
    void masksBecomeFiles() {
        findTwo();
        openDialog();
        check(ExportFormat::Coco);
        accept();
        QVERIFY(message().text().contains(QStringLiteral("4 files were written")));
        const QImage written(folder() + QStringLiteral("/a_1.png"));
        QCOMPARE(written.size(), canvas().geometryOfImage().imageSize().toSize());
        QFile coco(folder() + QStringLiteral("/a_coco.json"));
        QVERIFY(coco.open(QIODevice::ReadOnly));
        const auto annotations
            = QJsonDocument::fromJson(coco.readAll())[QStringLiteral("annotations")].toArray();
        QCOMPARE(annotations.size(), 2);
        int area = 0;
        for (int y = 0; y < written.height(); ++y)
            for (int x = 0; x < written.width(); ++x)
                area += qGray(written.pixel(x, y)) > 0 ? 1 : 0;
        QVERIFY(area > 0);
        QCOMPARE(annotations.at(0)[QStringLiteral("area")].toInt(), area);
    }

    void nothingIsWrittenOverUnasked() {
        findTwo();
        openDialog();
        accept();
        message().hide();
        openDialog();
        accept();
        QVERIFY(message().text().contains(QStringLiteral(
            "exists already: choose another folder or let files that exist be replaced.")));
        message().hide();
        openDialog();
        for (QCheckBox* box : dialog()->findChildren<QCheckBox*>())
            if (box->text().contains(QStringLiteral("Replace")))
                box->setChecked(true);
        accept();
        QVERIFY(message().text().contains(QStringLiteral("were written")));
    }

    void leavingAsksAndWaitsForWhatIsWritten() {
        findTwo();
        m_window->close();
        QTRY_VERIFY(m_window->findChild<QMessageBox*>() != nullptr);
        QTest::keyClick(m_window->findChild<QMessageBox*>(), Qt::Key_Escape);
        QTRY_VERIFY(m_window->findChild<QMessageBox*>() == nullptr);
        QVERIFY(m_window->isVisible() && maskCount() == 2);
        openDialog();
        QTest::keyClick(dialog(), Qt::Key_Return);
        m_window->close();
        QTRY_VERIFY(!m_window->isVisible()); // without a question: all is in files
        QVERIFY(QFile::exists(folder() + QStringLiteral("/a_index.png")));
    }

    void aFailureKeepsTheWindowOpenAndOffersAnotherTry() {
        findTwo();
        QVERIFY(QFile(folder()).open(QIODevice::WriteOnly)); // where a folder should be
        openDialog();
        QTest::keyClick(dialog(), Qt::Key_Return);
        m_window->close();
        QTRY_VERIFY(message().isVisible());
        QVERIFY(m_window->isVisible());
        const auto buttons = message().findChildren<QPushButton*>();
        QVERIFY(std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) {
            return button->text() == QStringLiteral("Export again…");
        }));
        QTRY_COMPARE(stateText(), QStringLiteral("2 masks, not saved"));
    }

    void whatIsInFilesIsNotAskedAbout() {
        findTwo();
        QTRY_COMPARE(stateText(), QStringLiteral("2 masks, not saved"));
        openDialog();
        accept();
        QTRY_COMPARE(stateText(), QStringLiteral("2 masks, exported"));
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(stateText(), QString());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(stateText(), QStringLiteral("2 masks, not saved"));
        openDialog();
        for (QCheckBox* box : dialog()->findChildren<QCheckBox*>())
            if (box->text().contains(QStringLiteral("Replace")))
                box->setChecked(true);
        message().hide();
        accept();
        QTRY_COMPARE(stateText(), QStringLiteral("2 masks, exported"));
        activate();
        QTest::keyClick(m_window.get(), Qt::Key_W, Qt::ControlModifier);
        QVERIFY(!m_window->findChild<QMessageBox*>());
        QTRY_COMPARE(maskCount(), 0);
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(WindowExportTest)
#include "window_export_test.moc"
