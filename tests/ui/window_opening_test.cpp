// SPDX-License-Identifier: GPL-3.0-or-later
// How pictures come into the window.
#include "tests/ui/window_test.h"
#include "ui/start_page.h"

#include <QAction>
#include <QClipboard>
#include <QDropEvent>
#include <QMimeData>

namespace maskscope {

class WindowOpeningTest : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void opensByDropPasteAndRecentFiles() {
        drop({file(QStringLiteral("dropped ü&<.png"))});
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
        m_window->openFile(m_folder->filePath(QStringLiteral("gone.png")));
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
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(WindowOpeningTest)
#include "window_opening_test.moc"
