// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "tests/ui/fake_job.h"
#include "tests/ui/ui_test.h"

#include <QElapsedTimer>
#include <QThread>

using namespace std::chrono_literals;

namespace maskscope {

namespace {

Request words(const std::string& text) {
    Request request;
    request.images = {std::make_shared<const Image>(gradient(64, 48))};
    request.text = text;
    return request;
}

// What a session told, in order.
struct Told {
    explicit Told(Session& session) {
        QObject::connect(&session, &Session::tokensArrived, [this](const auto& tokens) {
            ++batches;
            for (const TokenProduced& token : tokens)
                answer += token.text;
            order += QStringLiteral("t");
        });
        QObject::connect(&session, &Session::maskArrived, [this](const auto& mask) {
            masks.push_back(mask);
            order += QStringLiteral("m");
        });
        QObject::connect(&session, &Session::memoryArrived,
            [this](const auto& some) { samples.insert(samples.end(), some.begin(), some.end()); });
        QObject::connect(&session, &Session::ranksArrived,
            [this](const auto& some) { ranks.insert(ranks.end(), some.begin(), some.end()); });
        QObject::connect(&session, &Session::finished,
            [this](const auto& report) { reports.push_back(report); });
        QObject::connect(
            &session, &Session::failed, [this](const Error& error) { errors.push_back(error); });
        QObject::connect(&session, &Session::stateChanged, [this, &session] {
            onGuiThread = onGuiThread && QThread::currentThread() == session.thread();
            states.push_back(session.state());
        });
    }

    std::string answer;
    int batches = 0;
    QString order;
    bool onGuiThread = true;
    std::vector<std::shared_ptr<const Mask>> masks;
    std::vector<MemorySample> samples;
    std::vector<RankSample> ranks;
    std::vector<std::shared_ptr<const Report>> reports;
    std::vector<Error> errors;
    std::vector<Session::State> states;
};

} // namespace

class SessionTest : public UiTest {
    Q_OBJECT

    std::shared_ptr<FakeModel> m_model;

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_model = std::make_shared<FakeModel>();
    }

    void tellsARunInOrder() {
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("cat and cup"));
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QCOMPARE(told.answer, std::string("The cat <|mask|> sits by a cup <|mask|>."));
        QCOMPARE(told.masks.size(), std::size_t(2));
        QCOMPARE(told.order, QStringLiteral("tmtmt"));
        QVERIFY(told.onGuiThread);
        QVERIFY(told.reports.front()->outcome == Outcome::Finished);
        QCOMPARE(told.states, (std::vector{Session::State::Running, Session::State::Idle}));
        QVERIFY(!told.samples.empty());
        QVERIFY(told.ranks.empty());
        QTRY_VERIFY(!session.isBusy());
    }

    void tellsWhatTheRanksOfARingHold() {
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        Request request = words("cat and cup");
        request.settings.attention = AttentionPath::Ring;
        session.submit(request);
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QCOMPARE(told.ranks.size(), std::size_t(3 * 2 * 2)); // thrice for each rank and mask
        QCOMPARE(told.ranks.at(1).live, FakeModel::kRankPeak);
        QVERIFY(told.onGuiThread);
    }

    void stopsAtOnceAndKeepsWhatIsThere() {
        FakeAnswer slow;
        slow.perToken = 60ms;
        m_model->setAnswer(slow);
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("cat"));
        QTRY_VERIFY(told.masks.size() == 1);
        QElapsedTimer sinceStop;
        sinceStop.start();
        session.stop();
        QVERIFY(session.state() == Session::State::Stopping);
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QVERIFY2(sinceStop.elapsed() < 200, qPrintable(QString::number(sinceStop.elapsed())));
        QVERIFY(told.reports.front()->outcome == Outcome::Cancelled);
        QVERIFY(session.state() == Session::State::Idle);
        QVERIFY(told.answer.starts_with("The cat <|mask|>"));
    }

    void anEarlyStopIsNotLost() {
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("cat"));
        session.stop(); // before the worker has seen the request
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QVERIFY(told.reports.front()->outcome == Outcome::Cancelled);
    }

    void theNewestWins() {
        FakeAnswer slow;
        slow.pieces = std::vector<std::string>(50, "old ");
        slow.perToken = 20ms;
        m_model->setAnswer(slow);
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("first"));
        QTRY_VERIFY(told.answer.starts_with("old "));
        FakeAnswer quick;
        quick.pieces = {"new"};
        m_model->setAnswer(quick);
        told.answer.clear();
        session.submit(words("second"));
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QCOMPARE(told.answer, std::string("new"));
        QCOMPARE(m_model->requests().size(), std::size_t(2));
    }

    void anAbandonedRunIsSilent() {
        FakeAnswer slow;
        slow.perToken = 30ms;
        m_model->setAnswer(slow);
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("cat"));
        QTRY_VERIFY(!told.answer.empty());
        session.abandon();
        const std::string before = told.answer;
        QVERIFY(session.state() == Session::State::Idle);
        QTRY_VERIFY(!session.isBusy());
        QTest::qWait(100);
        QCOMPARE(told.answer, before);
        QVERIFY(told.reports.empty() && told.masks.size() <= 1);
    }

    void failureReachesTheWindowAndTheNextRunWorks() {
        FakeAnswer broken;
        broken.failure = Error{ErrorKind::Memory, "needs 900 MiB, 512 MiB are allowed"};
        m_model->setAnswer(broken);
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        session.submit(words("cat"));
        QTRY_COMPARE(told.errors.size(), std::size_t(1));
        QVERIFY(told.errors.front().kind == ErrorKind::Memory);
        m_model->setAnswer({});
        session.submit(words("cat"));
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
    }

    void aModelThatDoesNotLoadAnswersEveryRequest() {
        Session session;
        Told told(session);
        session.load([](const EventSink&) -> Worker::Job {
            throw Failure(ErrorKind::Model, "weights.bin is missing");
        });
        session.submit(words("cat"));
        QTRY_COMPARE(told.errors.size(), std::size_t(1));
        QCOMPARE(told.errors.front().sentence, std::string("weights.bin is missing"));
        QTRY_VERIFY(!session.isBusy());
    }

    void aFloodOfTokensComesInFewBatches() {
        FakeAnswer flood;
        flood.pieces = std::vector<std::string>(5000, "x");
        flood.perToken = 0ms;
        m_model->setAnswer(flood);
        Session session;
        Told told(session);
        session.load(FakeModel::factoryFor(m_model));
        QElapsedTimer time;
        time.start();
        session.submit(words("flood"));
        QTRY_COMPARE(told.reports.size(), std::size_t(1));
        QCOMPARE(told.answer.size(), std::size_t(5000));
        const auto allowed = 2 + time.elapsed() / Session::kIntervalMs;
        QVERIFY2(told.batches <= allowed, qPrintable(QString::number(told.batches)));
    }

    void destructionStopsWhatRuns() {
        FakeAnswer slow;
        slow.pieces = std::vector<std::string>(1000, "x");
        slow.perToken = 20ms;
        m_model->setAnswer(slow);
        QElapsedTimer time;
        {
            Session session;
            Told told(session);
            session.load(FakeModel::factoryFor(m_model));
            session.submit(words("long"));
            QTRY_VERIFY(!told.answer.empty());
            time.start();
        }
        QVERIFY2(time.elapsed() < 200, qPrintable(QString::number(time.elapsed())));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::SessionTest)
#include "session_test.moc"
