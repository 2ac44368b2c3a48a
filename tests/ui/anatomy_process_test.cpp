// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop program as the child that takes an anatomy.
#include "core/measure/anatomy_process.h"

#include "core/base/cancelled.h"
#include "tests/ui/ui_test.h"

#include <QProcess>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

namespace maskscope {

class AnatomyProcessTest : public UiTest {
    Q_OBJECT

    static AnatomyQuestion clickOn(const std::string& picture, const AnatomyMoment& moment) {
        RunAnatomyQuestion question;
        question.run.modelFolder = MASKSCOPE_RESOURCES "/models/lens-small";
        question.run.image.path = picture;
        question.run.points = {{100, 100, PointSign::Positive}};
        question.run.settings.attention = AttentionPath::Mha;
        question.run.settings.pixels = 100'000;
        question.moment = moment;
        return question;
    }
    static Anatomy take(const AnatomyQuestion& question, std::vector<Stage>* stages = nullptr) {
        return anatomyInChild(MASKSCOPE_PROGRAM, question,
            [&](Stage stage) {
                if (stages)
                    stages->push_back(stage);
            },
            {});
    }

private Q_SLOTS:
    void looksIntoALayer() {
        LayerAnatomyQuestion question;
        question.shape = {LayerPath::Mha, 256, 4, 192, 0, Precision::Float32};
        question.threads = 1;
        const Anatomy anatomy = take(question);
        QCOMPARE(anatomy.matrices(), 2);
        QCOMPARE(anatomy.matrixBytes(), 2LL * 4 * 256 * 256 * 4);
        QVERIFY(!anatomy.tensors.front().op.empty());
        QVERIFY(anatomy.before.at(std::size_t(MemoryCategory::Weights)) > 0);
    }

    void looksIntoAStageOfARun() {
        std::vector<Stage> stages;
        const Anatomy anatomy
            = take(clickOn(MASKSCOPE_RESOURCES "/examples/cat.jpg", {Stage::Mask, {}}), &stages);
        QCOMPARE(anatomy.matrices(), 2);
        QVERIFY(std::ranges::find(stages, Stage::Mask) != stages.end());
    }

    void tellsWhatIsWrong() {
        try {
            take(clickOn("/no/picture.png", {}));
            QFAIL("there is no such picture");
        } catch (const Failure& failure) {
            QCOMPARE(failure.kind(), ErrorKind::Input);
            QVERIFY(failure.error().sentence.find("picture.png") != std::string::npos);
        }
        QProcess program;
        program.start(QStringLiteral(MASKSCOPE_PROGRAM),
            {QString::fromLatin1(kAnatomyCommand.data(), qsizetype(kAnatomyCommand.size())),
                QStringLiteral("nonsense")});
        QVERIFY(program.waitForFinished(60'000));
        QVERIFY(program.readAllStandardOutput().contains("sentence"));
    }

    void stopsAtOnce() {
        std::stop_source stop;
        std::jthread stopper([&] {
            std::this_thread::sleep_for(200ms);
            stop.request_stop();
        });
        LayerAnatomyQuestion question;
        question.shape = {LayerPath::Sdpa, 20'000, 16, 1024, 20, Precision::Float32};
        const auto begin = std::chrono::steady_clock::now();
        QVERIFY_EXCEPTION_THROWN(anatomyInChild(
                                     MASKSCOPE_PROGRAM, question, [](Stage) {}, stop.get_token()),
            Cancelled);
        QVERIFY(std::chrono::steady_clock::now() - begin < 5s);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::AnatomyProcessTest)
#include "anatomy_process_test.moc"
