// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/open_images.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <map>
#include <mutex>

namespace maskscope {

class OpenImagesTest : public UiTest {
    Q_OBJECT

    std::mutex m_mutex;
    std::map<std::string, int> m_reads; // guarded by m_mutex
    std::unique_ptr<OpenImages> m_images;

    // Files that hold no picture have "broken" in their names.
    Image read(const std::filesystem::path& path) {
        const std::string name = path.filename().string();
        {
            const std::lock_guard lock(m_mutex);
            ++m_reads[name];
        }
        if (name.find("broken") != std::string::npos)
            throw Failure(ErrorKind::Input, name + " is not a picture.");
        return gradient(300, 40);
    }
    int reads(const char* name) {
        const std::lock_guard lock(m_mutex);
        return m_reads[name];
    }
    static QStringList paths(std::initializer_list<const char*> names) {
        QStringList result;
        for (const char* name : names)
            result += QStringLiteral("/f/") + QString::fromLatin1(name);
        return result;
    }
    QString shownName() const {
        return m_images->picture() ? m_images->picture()->name : QString();
    }
    ImageState stateOf(int row) const { return m_images->model().entry(row).state; }
    void openAll(std::initializer_list<const char*> names) {
        m_images->open(paths(names));
        QTRY_COMPARE(shownName(), QString::fromLatin1(*names.begin()));
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_reads.clear();
        m_images = std::make_unique<OpenImages>(
            [this](const std::filesystem::path& path) { return read(path); });
    }
    void cleanup() { m_images.reset(); }

    void stepsWithoutReadingTwice() {
        openAll({"a.png", "b.png", "c.png"});
        QVERIFY(!m_images->neighbour(-1).has_value());
        QTRY_COMPARE(reads("b.png"), 1); // ahead
        m_images->showNeighbour(1);
        QTRY_COMPARE(shownName(), QStringLiteral("b.png"));
        m_images->showNeighbour(-1);
        QTRY_COMPARE(shownName(), QStringLiteral("a.png"));
        m_images->showNeighbour(1);
        QTRY_COMPARE(shownName(), QStringLiteral("b.png"));
        QTRY_COMPARE(reads("c.png"), 1);
        QCOMPARE(reads("a.png"), 1);
        QCOMPARE(reads("b.png"), 1);
        m_images->showNeighbour(1);
        QTRY_COMPARE(shownName(), QStringLiteral("c.png"));
        QVERIFY(!m_images->neighbour(1).has_value());
        m_images->showNeighbour(1); // stays at the end
        QCOMPARE(m_images->current().value_or(-1), 2);
    }

    void theNewestWins() {
        openAll({"a.png", "b.png", "c.png", "d.png"});
        const QSignalSpy shown(m_images.get(), &OpenImages::shown);
        m_images->show(3);
        m_images->show(2);
        QTRY_VERIFY(!m_images->isBusy());
        QCOMPARE(shownName(), QStringLiteral("c.png"));
        QTest::qWait(50);
        QCOMPARE(shownName(), QStringLiteral("c.png"));
        QCOMPARE(shown.count(), 1);
    }

    void whatCannotBeReadIsToldAndSteppedOver() {
        openAll({"a.png", "broken.png", "c.png"});
        QSignalSpy failed(m_images.get(), &OpenImages::failed);
        m_images->showNeighbour(1);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(shownName(), QStringLiteral("a.png"));
        QCOMPARE(m_images->current().value_or(-1), 0);
        QVERIFY(stateOf(1) == ImageState::Unreadable);
        QVERIFY(m_images->model()
                    .index(1)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("not a picture")));
        m_images->showNeighbour(1);
        QTRY_COMPARE(shownName(), QStringLiteral("c.png"));
    }

    void oneFileThatCannotBeReadIsNotListed() {
        QSignalSpy failed(m_images.get(), &OpenImages::failed);
        m_images->open(paths({"broken.png"}));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(m_images->model().rowCount(), 0);
        openAll({"a.png"});
        openAll({"b.png"});
        openAll({"a.png"}); // goes there
        QCOMPARE(m_images->model().rowCount(), 2);
        QCOMPARE(m_images->current().value_or(-1), 0);
    }

    void eachImageKeepsItsWork() {
        openAll({"a.png", "b.png"});
        ImageWork work;
        work.prompting.prompts.addPoint({3, 4, PointSign::Positive});
        work.answer.question = QStringLiteral("cat");
        work.masks.resize(2);
        m_images->setState(ImageState::Running);
        QCOMPARE(m_images->model().index(0).data(ImageModel::kStateTextRole).toString(),
            QStringLiteral("running…"));
        connect(m_images.get(), &OpenImages::leaving, this, [&] { m_images->keep(work); });
        m_images->showNeighbour(1);
        QTRY_COMPARE(shownName(), QStringLiteral("b.png"));
        QVERIFY(m_images->work().masks.empty());
        QVERIFY(stateOf(0) == ImageState::Masks);
        QCOMPARE(m_images->model().index(0).data(Qt::AccessibleTextRole).toString(),
            QStringLiteral("a.png, 2 masks, not saved"));
        work = {};
        m_images->showNeighbour(-1);
        QTRY_COMPARE(shownName(), QStringLiteral("a.png"));
        QCOMPARE(m_images->work().masks.size(), std::size_t(2));
        QCOMPARE(m_images->work().prompting.prompts.points().size(), std::size_t(1));
        QCOMPARE(m_images->work().answer.question, QStringLiteral("cat"));
        QVERIFY(stateOf(1) == ImageState::Untouched);
    }

    void aFailedRunIsSeenInTheList() {
        openAll({"a.png", "b.png"});
        m_images->setState(ImageState::Failed, QStringLiteral("too large"));
        m_images->keep({});
        QVERIFY(stateOf(0) == ImageState::Failed);
        QVERIFY(m_images->model()
                    .index(0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("too large")));
        QCOMPARE(m_images->neighbour(1).value_or(-1), 1);
    }

    void pastedImagesKeepTheirPixels() {
        openAll({"a.png"});
        QImage pixels(50, 40, QImage::Format_RGB32);
        pixels.fill(Qt::blue);
        m_images->openPixels(pixels, QStringLiteral("Pasted image"));
        QTRY_COMPARE(shownName(), QStringLiteral("Pasted image"));
        m_images->showNeighbour(-1);
        QTRY_COMPARE(shownName(), QStringLiteral("a.png"));
        m_images->showNeighbour(1);
        QCOMPARE(m_images->picture()->size(), QSize(50, 40));
        QVERIFY(!m_images->model().index(1).data(Qt::DecorationRole).value<QImage>().isNull());
    }

    void closingShowsTheOneThatTakesItsPlace() {
        openAll({"a.png", "b.png", "c.png"});
        m_images->closeCurrent();
        QTRY_COMPARE(shownName(), QStringLiteral("b.png"));
        m_images->show(1);
        QTRY_COMPARE(shownName(), QStringLiteral("c.png"));
        m_images->closeCurrent();
        QTRY_COMPARE(shownName(), QStringLiteral("b.png"));
        QCOMPARE(m_images->current().value_or(-1), 0);
        m_images->closeCurrent();
        QVERIFY(!m_images->picture() && !m_images->current());
        QCOMPARE(m_images->model().rowCount(), 0);
        m_images->open(paths({"a.png", "b.png"}));
        m_images->closeAll(); // while it is being read
        QVERIFY(!m_images->isBusy());
        QTest::qWait(50);
        QCOMPARE(m_images->model().rowCount(), 0);
        QVERIFY(!m_images->picture());
    }

    void thumbnailsComeWhenTheyAreAskedFor() {
        const QAbstractItemModelTester tester(
            &m_images->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        openAll({"a.png", "b.png", "broken.png"});
        const auto thumbnail = [this](int row) {
            return m_images->model().index(row).data(Qt::DecorationRole).value<QImage>();
        };
        QVERIFY(!thumbnail(0).isNull()); // it was read anyway
        QTRY_VERIFY(!thumbnail(1).isNull());
        // 300 x 40 fits into 64 x 48 as 64 x 9, twice as sharp.
        QVERIFY(thumbnail(1).width() == 128 && std::abs(thumbnail(1).height() - 17) <= 1);
        (void)thumbnail(2);
        QTRY_VERIFY(stateOf(2) == ImageState::Unreadable);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::OpenImagesTest)
#include "open_images_test.moc"
