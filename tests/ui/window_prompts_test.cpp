// SPDX-License-Identifier: GPL-3.0-or-later
// Clicks and boxes on the image, and what the keys do to its view and masks.
#include "tests/ui/window_test.h"

namespace maskscope {

class WindowPromptsTest : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void clicksRunAtOnceAndRefine() {
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(160, 120));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        Request request = m_model->requests().back();
        QVERIFY(request.text.empty());
        QCOMPARE(request.points.size(), std::size_t(1));
        QVERIFY(std::abs(request.points.front().x - 160) < 1);
        QTest::mouseClick(&canvas(), Qt::RightButton, {}, onCanvas(40, 40));
        QTRY_COMPARE(m_model->requests().size(), std::size_t(2));
        request = m_model->requests().back();
        QCOMPARE(request.points.size(), std::size_t(2));
        QVERIFY(request.points.at(1).sign == PointSign::Negative);
        QTRY_VERIFY(isIdle());
        QCOMPARE(maskCount(), 1); // the new one in place of the old
        QTest::keyClick(m_window.get(), Qt::Key_Escape); // nothing runs: clears
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(100, 100));
        QTRY_COMPARE(m_model->requests().size(), std::size_t(3));
        QCOMPARE(m_model->requests().back().points.size(), std::size_t(1));
        QTRY_VERIFY(isIdle());
    }

    void anotherMeaningOfAClickCanBeTaken() {
        FakeAnswer ambiguous;
        ambiguous.candidates = 2;
        m_model->setAnswer(ambiguous);
        openImage();
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier); // nothing to choose from
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(160, 120));
        QTRY_VERIFY(isIdle() && maskCount() == 1);
        QVERIFY(answer().toPlainText().contains(QStringLiteral("may mean 2 things")));
        for (const int meaning : {2, 0, 2}) {
            const auto before = m_model->requests().size();
            QTest::keyClick(m_window.get(), Qt::Key_M, Qt::ControlModifier);
            QTRY_VERIFY(isIdle() && m_model->requests().size() == before + 1);
            QCOMPARE(m_model->requests().back().meaning, meaning);
        }
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(170, 120));
        QTRY_VERIFY(isIdle() && m_model->requests().back().points.size() == 2);
        QCOMPARE(m_model->requests().back().meaning, 2); // refined as it was chosen
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, onCanvas(60, 60));
        QTRY_VERIFY(isIdle() && m_model->requests().back().points.size() == 1);
        QCOMPARE(m_model->requests().back().meaning, 0);
    }

    void clicksCanWaitForRun() {
        openImage();
        m_settings->setPromptRun(PromptRun::OnRequest);
        QTest::keyClick(m_window.get(), Qt::Key_3, Qt::ControlModifier);
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, onCanvas(50, 50));
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, onCanvas(200, 150));
        QTest::qWait(50);
        QVERIFY(m_model->requests().empty());
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_COMPARE(m_model->requests().size(), std::size_t(1));
        QCOMPARE(m_model->requests().back().boxes.size(), std::size_t(1));
        QTRY_VERIFY(isIdle());
    }

    void zoomAndMaskKeysWork() {
        openImage();
        typeAndRun(QStringLiteral("cat"));
        QTRY_VERIFY(isIdle() && maskCount() == 2);
        QTest::keyClick(m_window.get(), Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(canvas().geometryOfImage().scale(), 1.0);
        QTest::keyClick(m_window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(canvas().geometryOfImage().scale(), 1.25);
        QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
        QVERIFY(canvas().geometryOfImage().isFitted());
        const auto checked
            = [&] { return list().model()->index(0, 0).data(Qt::CheckStateRole).toInt(); };
        QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier);
        QCOMPARE(checked(), int(Qt::Unchecked));
        QTest::keyClick(m_window.get(), Qt::Key_H, Qt::ControlModifier);
        QCOMPARE(checked(), int(Qt::Checked));
    }
};

} // namespace maskscope

MASKSCOPE_WINDOW_TEST_MAIN(WindowPromptsTest)
#include "window_prompts_test.moc"
