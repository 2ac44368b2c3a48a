// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop program as the child that measures one point of the Lab page's sweep.
#include "core/measure/point_process.h"
#include "tests/ui/ui_test.h"
#include "ui/sweep_job.h"

#include <QProcess>
#include <QSignalSpy>

namespace maskscope {

class LabProcessTest : public UiTest {
    Q_OBJECT

    SweepJob m_job{[](const LayerPoint& point, const std::stop_token& stop) {
        return measureInChild(MASKSCOPE_PROGRAM, point, stop);
    }};
    std::vector<SweepPoint> m_points;
    std::vector<SweepEnd> m_ends;

    static SweepPlan smallPlan() {
        SweepPlan plan;
        plan.paths = {LayerPath::Mha, LayerPath::Sdpa};
        plan.patches = {128, 512};
        plan.point.shape.heads = 8;
        plan.point.shape.width = 256;
        plan.point.threads = 2;
        plan.point.repeats = 1;
        return plan;
    }

private Q_SLOTS:
    void initTestCase() {
        connect(&m_job, &SweepJob::measured, this,
            [this](const SweepPoint& point) { m_points.push_back(point); });
        connect(&m_job, &SweepJob::refused, this,
            [this](const SweepEnd& end) { m_ends.push_back(end); });
    }
    void init() {
        UiTest::init();
        m_points.clear();
        m_ends.clear();
    }

    void measuresRealPoints() {
        const QSignalSpy failed(&m_job, &SweepJob::failed);
        m_job.start(smallPlan());
        QTRY_VERIFY_WITH_TIMEOUT(m_job.state() == SweepJob::State::Idle, 100'000);
        QCOMPARE(failed.count(), 0);
        QCOMPARE(m_points.size(), 4U);
        // Two matrices of 8 heads x 512 x 512 x 4 bytes, and little else.
        QVERIFY(m_points.at(1).figures.extraPeakBytes > 2LL * 8 * 512 * 512 * 4);
        QVERIFY(m_points.at(3).figures.extraPeakBytes < 4LL * 8 * 512 * 512);
        for (const SweepPoint& point : m_points)
            QVERIFY(
                std::abs(point.figures.extraPeakBytes - point.figures.predictedBytes) < (1 << 20));
    }

    void tellsWhereMemoryEnds() {
        SweepPlan plan = smallPlan();
        plan.point.memoryLimit = 16 << 20;
        m_job.start(plan);
        QTRY_VERIFY_WITH_TIMEOUT(m_job.state() == SweepJob::State::Idle, 100'000);
        QCOMPARE(m_ends.size(), 1U);
        QVERIFY(m_ends.front().path == LayerPath::Mha);
        QCOMPARE(m_ends.front().patches, 512);
        QVERIFY(m_ends.front().error.kind == ErrorKind::Memory);
    }

    void answersNonsenseWithASentence() {
        QProcess program;
        program.start(QStringLiteral(MASKSCOPE_PROGRAM),
            {QString::fromLatin1(kPointCommand.data(), qsizetype(kPointCommand.size())),
                QStringLiteral("{}")});
        QVERIFY(program.waitForFinished(60'000));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.readAllStandardOutput().contains("sentence"));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::LabProcessTest)
#include "lab_process_test.moc"
