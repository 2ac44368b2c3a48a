// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window, its layout, themes and names.
#include "tests/ui/window_test.h"
#include "ui/lab_page.h"

#include <QAccessible>

using namespace std::chrono_literals;

namespace maskscope {

class WindowPagesTest : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
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

MASKSCOPE_WINDOW_TEST_MAIN(WindowPagesTest)
#include "window_pages_test.moc"
