// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compose.h"

#include "tests/ui/ui_test.h"
#include "ui/convert.h"

namespace maskscope {

class ComposeTest : public UiTest {
    Q_OBJECT

    Ask ask(Tool tool) const {
        Ask result;
        result.picture = makePicture(gradient(8, 6), QStringLiteral("x.png"), {});
        result.tool = tool;
        result.words = QStringLiteral("  the red mug \n");
        result.prompts.addPoint({2, 3, PointSign::Positive});
        return result;
    }

private Q_SLOTS:
    void saysWhatIsMissing() {
        Ask empty;
        QVERIFY(toQString(composeRequest(empty).error().sentence)
                    .contains(QStringLiteral("Open an image")));
        empty = ask(Tool::Words);
        empty.words = QStringLiteral(" \t");
        QVERIFY(toQString(composeRequest(empty).error().sentence)
                    .contains(QStringLiteral("Type what")));
        empty = ask(Tool::Points);
        empty.prompts.clear();
        QVERIFY(toQString(composeRequest(empty).error().sentence)
                    .contains(QStringLiteral("Click the object")));
        empty.tool = Tool::Box;
        QVERIFY(toQString(composeRequest(empty).error().sentence)
                    .contains(QStringLiteral("Drag a box")));
    }

    void wordsStandAlone() {
        const Request request = composeRequest(ask(Tool::Words)).value();
        QCOMPARE(request.text, std::string("the red mug"));
        QVERIFY(request.points.empty() && request.boxes.empty());
        QCOMPARE(request.images.at(0)->width, 8);
    }

    void promptsStandAloneOrRefineTheWords() {
        Ask points = ask(Tool::Points);
        QVERIFY(composeRequest(points).value().text.empty());
        QCOMPARE(composeRequest(points).value().points.size(), std::size_t(1));
        points.wordsWithPrompts = WordsWithPrompts::Refine;
        QCOMPARE(composeRequest(points).value().text, std::string("the red mug"));
    }

    void excludingAloneIsNotEnough() {
        Ask points = ask(Tool::Points);
        points.prompts.clear();
        points.prompts.addPoint({2, 3, PointSign::Negative});
        QVERIFY(!composeRequest(points).ok());
        points.wordsWithPrompts = WordsWithPrompts::Refine;
        QVERIFY(composeRequest(points).ok());
        points.wordsWithPrompts = WordsWithPrompts::Leave;
        points.prompts.addBox({0, 0, 4, 4}, BoxOrder::Replace);
        QVERIFY(composeRequest(points).ok());
    }

    void handsTheSettingsOn() {
        Ask words = ask(Tool::Words);
        words.settings.attention = AttentionPath::Flash;
        words.settings.memoryLimit = 77;
        const RunSettings settings = composeRequest(words).value().settings;
        QVERIFY(settings.attention == AttentionPath::Flash);
        QCOMPARE(settings.memoryLimit.value_or(0), 77);
    }

    void describesTheRequest() {
        Request request;
        request.text = "a<b>c";
        QCOMPARE(describe(request), QStringLiteral("“a<b>c”"));
        request.points.resize(2);
        request.boxes.resize(1);
        QCOMPARE(describe(request), QStringLiteral("“a<b>c” with 2 points and 1 box"));
        request.text.clear();
        QCOMPARE(describe(request), QStringLiteral("2 points and 1 box"));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::ComposeTest)
#include "compose_test.moc"
