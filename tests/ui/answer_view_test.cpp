// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answer_view.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QMimeData>
#include <QScrollBar>
#include <QTextBlock>

namespace maskscope {

class AnswerViewTest : public UiTest {
    Q_OBJECT

    std::unique_ptr<MaskModel> m_masks;
    std::unique_ptr<AnswerView> m_view;

    void addMask(int token) {
        Mask mask = ellipse(40, 30, 20, 15, 8, 8);
        mask.tokenIndex = token;
        m_masks->add(std::make_shared<const Mask>(std::move(mask)));
    }

    // The middle of the chip that stands for the n-th mask.
    QPoint chip(int n) const {
        int position = -1;
        const QString text = m_view->toPlainText();
        for (int i = 0; i <= n; ++i)
            position
                = static_cast<int>(text.indexOf(QChar::ObjectReplacementCharacter, position + 1));
        QTextCursor before(m_view->document());
        before.setPosition(position);
        QTextCursor after(m_view->document());
        after.setPosition(position + 1);
        const QRect left = m_view->cursorRect(before);
        const QRect right = m_view->cursorRect(after);
        return {(left.center().x() + right.center().x()) / 2, left.center().y()};
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_masks = std::make_unique<MaskModel>();
        m_view = std::make_unique<AnswerView>(*m_masks);
        m_view->resize(360, 200);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup() {
        m_view.reset();
        m_masks.reset();
    }

    void markupStaysText() {
        const QString nasty = QStringLiteral("<b>bold</b> <img src=x onerror=1> &amp; <script>");
        m_view->begin(nasty);
        m_view->append({{1, nasty.toStdString(), 0, false}, {2, "<|mask|>", 1, false}});
        QCOMPARE(m_view->toPlainText(),
            nasty + QStringLiteral("\n") + nasty + QStringLiteral("<|mask|>"));
        QCOMPARE(m_view->answer(), nasty + QStringLiteral("<|mask|>"));
        for (QTextBlock block = m_view->document()->begin(); block.isValid(); block = block.next())
            for (auto part = block.begin(); !part.atEnd(); ++part)
                QVERIFY(part.fragment().charFormat().fontWeight() <= QFont::Normal
                    && !part.fragment().charFormat().isImageFormat()
                    && !part.fragment().charFormat().isAnchor());
    }

    void chipsStandForMasks() {
        m_view->begin(QStringLiteral("“cat”"));
        m_view->append({{1, "The cat ", 0, false}, {9, "<|mask|>", 1, true},
            {2, " and the cup ", 2, false}, {9, "<|mask|>", 3, true}, {3, ".", 4, false}});
        QCOMPARE(m_view->answer(), QStringLiteral("The cat <|mask|> and the cup <|mask|>."));
        addMask(1);
        addMask(3);
        const QImage picture = m_view->viewport()->grab().toImage();
        const auto colourIn = [&](int n) {
            // Beside the digit, on the pill.
            const QPoint left = chip(n) - QPoint(7, 0);
            return picture.pixelColor((QPointF(left) * picture.devicePixelRatio()).toPoint());
        };
        QCOMPARE(colourIn(0), colourOfMask(0));
        QCOMPARE(colourIn(1), colourOfMask(1));
    }

    void pointingAndClickingReachTheMask() {
        m_view->begin(QStringLiteral("q"));
        m_view->append(
            {{1, "The cat ", 0, false}, {9, "<|mask|>", 1, true}, {2, " end", 2, false}});
        addMask(1);
        QTest::mouseMove(m_view->viewport(), chip(0));
        QTRY_COMPARE(m_masks->emphasised().value_or(-1), 0);
        QTest::mouseMove(m_view->viewport(), QPoint(300, 180));
        QTRY_VERIFY(!m_masks->emphasised().has_value());
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, chip(0));
        QCOMPARE(m_masks->selected().value_or(-1), 0);
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, chip(0));
        QVERIFY(!m_masks->selected().has_value());
    }

    void aChipWithoutItsMaskIsHarmless() {
        m_view->begin(QStringLiteral("q"));
        m_view->append({{9, "<|mask|>", 0, true}});
        QTest::mouseMove(m_view->viewport(), chip(0));
        QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, chip(0));
        QVERIFY(!m_masks->selected().has_value());
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QVERIFY(!m_masks->selected().has_value());
    }

    void arrowKeysGoFromChipToChip() {
        m_view->begin(QStringLiteral("q"));
        m_view->append({{9, "<|mask|>", 0, true}, {1, " ", 1, false}, {9, "<|mask|>", 2, true}});
        addMask(0);
        addMask(2);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_masks->selected().value_or(-1), 0);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_masks->selected().value_or(-1), 1);
        QTest::keyClick(m_view.get(), Qt::Key_Left);
        QCOMPARE(m_masks->selected().value_or(-1), 0);
    }

    void copiesPlainText() {
        m_view->begin(QStringLiteral("q"));
        m_view->append({{1, "<i>a</i> ", 0, false}, {9, "<|mask|>", 1, true}});
        m_view->selectAll();
        m_view->copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("q\n<i>a</i> [mask 1]"));
        QVERIFY(!QGuiApplication::clipboard()->mimeData()->hasHtml());
    }

    void aFloodStaysCheap() {
        m_view->begin(QStringLiteral("q"));
        QElapsedTimer time;
        time.start();
        qint64 worst = 0;
        for (int batch = 0; batch < 30; ++batch) { // a second of 5,000 tokens/s
            std::vector<TokenProduced> tokens;
            for (int i = 0; i < 170; ++i)
                tokens.push_back({i, i % 12 == 0 ? "word\n" : "word ", batch * 170 + i, false});
            const qint64 before = time.elapsed();
            m_view->append(tokens);
            QCoreApplication::processEvents();
            worst = std::max(worst, time.elapsed() - before);
        }
        QVERIFY2(worst < 200, qPrintable(QString::number(worst))); // shared machines are slow
        QCOMPARE(m_view->verticalScrollBar()->value(), m_view->verticalScrollBar()->maximum());
        m_view->verticalScrollBar()->setValue(0); // somebody reads
        m_view->append({{1, "more\n\n\n", 0, false}});
        QCOMPARE(m_view->verticalScrollBar()->value(), 0);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::AnswerViewTest)
#include "answer_view_test.moc"
