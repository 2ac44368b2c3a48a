// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompts.h"

#include "tests/ui/ui_test.h"

namespace maskscope {

class PromptsTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void keepsPointsInOrder() {
        PromptSet prompts;
        prompts.addPoint({1, 2, PointSign::Positive});
        prompts.addPoint({3, 4, PointSign::Negative});
        QCOMPARE(prompts.points().size(), std::size_t(2));
        QCOMPARE(prompts.points().at(1).x, 3.0);
        QVERIFY(prompts.points().at(1).sign == PointSign::Negative);
        prompts.clear();
        QVERIFY(prompts.isEmpty());
    }

    void ordersTheCornersOfABox() {
        PromptSet prompts;
        prompts.addBox({50, 60, 10, 20}, BoxOrder::Replace);
        const BoxPrompt box = prompts.boxes().at(0);
        QCOMPARE(QRectF(QPointF(box.x0, box.y0), QPointF(box.x1, box.y1)), QRectF(10, 20, 40, 40));
    }

    void aBoxReplacesOrJoinsTheOthers() {
        PromptSet prompts;
        prompts.addBox({0, 0, 1, 1}, BoxOrder::Replace);
        prompts.addBox({2, 2, 3, 3}, BoxOrder::Replace);
        QCOMPARE(prompts.boxes().size(), std::size_t(1));
        QCOMPARE(prompts.boxes().at(0).x0, 2.0);
        prompts.addBox({4, 4, 5, 5}, BoxOrder::Another);
        QCOMPARE(prompts.boxes().size(), std::size_t(2));
    }

    void pointsGoWithOneBoxButNotWithTwo() {
        PromptSet prompts;
        prompts.addBox({0, 0, 9, 9}, BoxOrder::Replace);
        prompts.addPoint({1, 1, PointSign::Positive});
        QCOMPARE(prompts.all().size(), std::size_t(2));
        prompts.addBox({10, 10, 19, 19}, BoxOrder::Another);
        QCOMPARE(prompts.boxes().size(), std::size_t(2));
        QVERIFY(prompts.points().empty());
        prompts.addPoint({2, 2, PointSign::Positive});
        QVERIFY(prompts.boxes().empty());
        QCOMPARE(prompts.points().size(), std::size_t(1));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::PromptsTest)
#include "prompts_test.moc"
