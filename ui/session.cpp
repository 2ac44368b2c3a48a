// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "ui/replay.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace maskscope {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

} // namespace

Session::Session(QObject* parent)
    : QObject(parent) {
    m_deliveryTimer.setSingleShot(true);
    m_deliveryTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_deliveryTimer, &QTimer::timeout, this, &Session::deliver);
}

Session::~Session() {
    m_stop.request_stop();
}

void Session::load(Worker::JobFactory makeJob) {
    ++m_outstanding;
    auto factory = [this, makeJob = std::move(makeJob)](const EventSink& sink) {
        std::optional<Error> error;
        Worker::Job job;
        std::exception_ptr failure;
        try {
            job = makeJob(sink);
        } catch (...) {
            failure = std::current_exception();
            error = errorOf(failure);
        }
        QMetaObject::invokeMethod(
            this, [this, error] { finishLoading(error); }, Qt::QueuedConnection);
        if (failure)
            std::rethrow_exception(failure);
        return job;
    };
    m_worker = std::make_unique<Worker>(
        std::move(factory), [this](const Event& event) { receive(event); });
}

void Session::finishLoading(const std::optional<Error>& error) {
    deliver(); // what the factory sent came before
    if (error)
        Q_EMIT loadFailed(*error);
    Q_EMIT loadEnded();
    if (--m_outstanding == 0)
        Q_EMIT idle();
}

void Session::announceModel(ModelDescription description) {
    QMetaObject::invokeMethod(
        this, [this, description = std::move(description)] { Q_EMIT modelLoaded(description); },
        Qt::QueuedConnection);
}

std::uint64_t Session::submit(Request request) {
    dropReplay();
    m_stop.request_stop();
    m_stop = std::stop_source();
    request.number = ++m_newest;
    request.stop = m_stop;
    ++m_outstanding;
    Q_EMIT runStarted(request);
    setState(State::Running);
    m_worker->submit(std::move(request));
    return m_newest;
}

void Session::replay(const std::shared_ptr<const RunRecord>& record) {
    beginReplay(record);
    m_replay->start();
}

void Session::beginReplay(const std::shared_ptr<const RunRecord>& record) {
    dropReplay();
    m_stop.request_stop();
    m_replay = new Replay(record, ++m_newest, this);
    m_replay->setPace(m_replayPace);
    connect(m_replay, &Replay::due, this, &Session::tell);
    connect(m_replay, &Replay::moved, this, &Session::replayMoved);
    Request request = requestOf(record->header);
    request.number = m_newest;
    Q_EMIT runStarted(request);
    setState(State::Running);
}

std::shared_ptr<const RunRecord> Session::replayed() const {
    return m_replay ? m_replay->record() : nullptr;
}

void Session::setReplayPace(double pace) {
    m_replayPace = pace;
    if (m_replay)
        m_replay->setPace(pace);
}

void Session::seekReplay(double tMs) {
    if (!m_replay)
        return;
    if (tMs < m_replay->positionMs()) {
        beginReplay(m_replay->record());
        m_replay->start();
    }
    m_replay->seek(tMs);
}

void Session::dropReplay() {
    if (Replay* replay = std::exchange(m_replay, nullptr)) {
        replay->disconnect(this);
        replay->deleteLater(); // it may be telling just now
    }
}

void Session::stop() {
    if (m_state != State::Running)
        return;
    if (m_replay) {
        m_replay->skipToEnd();
        return;
    }
    m_stop.request_stop();
    setState(State::Stopping);
}

void Session::abandon() {
    dropReplay();
    m_stop.request_stop();
    ++m_newest;
    setState(State::Idle);
}

void Session::setState(State state) {
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged(state);
}

void Session::receive(const Event& event) {
    bool first = false;
    {
        const std::lock_guard lock(m_inboxMutex);
        first = m_inbox.empty();
        m_inbox.push_back(event);
    }
    if (first)
        QMetaObject::invokeMethod(this, &Session::scheduleDelivery, Qt::QueuedConnection);
}

void Session::scheduleDelivery() {
    const qint64 waited = m_sinceDelivery.isValid() ? m_sinceDelivery.elapsed() : kIntervalMs;
    m_deliveryTimer.start(static_cast<int>(std::max<qint64>(0, kIntervalMs - waited)));
}

void Session::deliver() {
    std::vector<Event> batch;
    {
        const std::lock_guard lock(m_inboxMutex);
        batch.swap(m_inbox);
    }
    m_sinceDelivery.start();
    std::vector<Event> newest;
    if (!m_replay)
        std::ranges::copy_if(batch, std::back_inserter(newest),
            [this](const Event& event) { return event.request == m_newest; });
    if (!newest.empty())
        Q_EMIT eventsArrived(newest);
    tell(batch);
}

void Session::tell(const std::vector<Event>& batch) {
    std::vector<MemorySample> samples;
    std::vector<RankSample> ranks;
    for (const Event& event : batch) {
        if (event.request != m_newest)
            continue;
        if (const auto* memory = std::get_if<MemoryMeasured>(&event.payload))
            samples.push_back(memory->sample);
        else if (const auto* rank = std::get_if<RankMeasured>(&event.payload))
            ranks.push_back(rank->sample);
    }
    if (!samples.empty())
        Q_EMIT memoryArrived(samples);
    if (!ranks.empty())
        Q_EMIT ranksArrived(ranks);
    for (const Event& event : batch)
        dispatch(event);
    flushTokens();
}

void Session::dispatch(const Event& event) {
    if (std::holds_alternative<MemoryMeasured>(event.payload)
        || std::holds_alternative<RankMeasured>(event.payload))
        return; // handed on all at once
    const bool ends = std::holds_alternative<Done>(event.payload)
        || std::holds_alternative<Failed>(event.payload);
    if (const auto* token = std::get_if<TokenProduced>(&event.payload)) {
        if (event.request == m_newest)
            m_tokens.push_back(*token);
        return;
    }
    flushTokens(); // so that signals keep the order of the events
    if (ends) {
        end(event);
        return;
    }
    if (event.request != m_newest)
        return;
    const auto visitor = Overloaded{
        [&](const StageBegan& began) { Q_EMIT stageBegan(began.stage, event.tMs); },
        [&](const StageEnded& ended) { Q_EMIT stageEnded(ended, event.tMs); },
        [&](const StageProgress& progress) {
            Q_EMIT stageProgressed(progress.stage, progress.fraction);
        },
        [&](const MaskProduced& produced) { Q_EMIT maskArrived(produced.mask); },
        [](const auto&) {},
    };
    std::visit(visitor, event.payload);
}

void Session::flushTokens() {
    if (m_tokens.empty())
        return;
    const std::vector<TokenProduced> tokens = std::exchange(m_tokens, {});
    Q_EMIT tokensArrived(tokens);
}

void Session::end(const Event& event) {
    if (event.request == 0)
        return; // the factory's own end tells it
    const bool isNewest = event.request == m_newest;
    if (!(isNewest && m_replay))
        --m_outstanding;
    if (isNewest) {
        // The state first, so that whoever hears of the end can start the next run.
        setState(State::Idle);
        if (const auto* done = std::get_if<Done>(&event.payload))
            Q_EMIT finished(done->report, event.tMs);
        else
            Q_EMIT failed(std::get<Failed>(event.payload).error, event.tMs);
    }
    if (m_outstanding == 0)
        Q_EMIT idle();
}

} // namespace maskscope
