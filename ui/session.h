// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/engine/event.h"
#include "core/engine/request.h"
#include "core/engine/worker.h"
#include "core/history/run_record.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace maskscope {

/// What the loaded model is and can.
struct ModelDescription {
    ModelInfo info;
    std::vector<AttentionCapability> attention;
    std::vector<RunForecast> forecasts; ///< over sizes that increase
    std::string folder = {};
    RunMachine machine = {}; ///< on which it runs
};

class Replay;

/// Owns the worker thread and is the window's only caller of core: a Request goes in, signals come
/// out. All functions but announceModel are for the GUI thread, on which all signals are emitted,
/// at most about 30 times a second however fast events come. Only the newest request is heard; an
/// older one is stopped.
class Session : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Running, Stopping };

    explicit Session(QObject* parent = nullptr);
    /// Stops what runs and waits for it.
    ~Session() override;

    /// Starts the worker; the factory runs on its thread.
    void load(Worker::JobFactory makeJob);
    /// Tells the window about the model. For the factory: may be called on any thread.
    void announceModel(ModelDescription description);

    /// After load(): numbers the request, gives it a stop source, queues it and returns its number.
    /// What still ran is stopped and no longer heard.
    std::uint64_t submit(Request request);
    /// Tells a past run as if it were going on, at its own pace and through the same signals; its
    /// request has no image. What still ran is stopped and no longer heard.
    void replay(const std::shared_ptr<const RunRecord>& record);
    /// The newest request is such a replay.
    bool isReplaying() const { return m_replay != nullptr; }
    /// Its run; null where the newest request is no replay.
    std::shared_ptr<const RunRecord> replayed() const;
    /// Of this replay and those that follow: 1 is the run's own, 0.1 ten times slower, 0 stands
    /// still.
    void setReplayPace(double pace);
    /// Goes to that time of the replay, if there is one. To go back the run is told anew from its
    /// beginning: runStarted() comes again.
    void seekReplay(double tMs);
    /// The state is Stopping at once; finished() with the outcome Cancelled follows. A replay is
    /// told to its end at once.
    void stop();
    /// Stops what runs and hears no more of it: its image is no longer there.
    void abandon();

    State state() const { return m_state; }
    /// The worker has something to do: loading, a request, or an older one that has not ended yet.
    bool isBusy() const { return m_outstanding > 0; }

    static constexpr int kIntervalMs = 33;

Q_SIGNALS:
    void stateChanged(maskscope::Session::State state);
    void modelLoaded(const maskscope::ModelDescription& description);
    void loadFailed(const maskscope::Error& error);
    /// The factory has returned or failed; whatever it sent or announced was told before.
    void loadEnded();

    void runStarted(const maskscope::Request& request);
    /// What the signals below are made from; not of a replay.
    void eventsArrived(const std::vector<maskscope::Event>& events);
    void stageBegan(maskscope::Stage stage, double tMs);
    void stageEnded(const maskscope::StageEnded& ended, double tMs);
    void stageProgressed(maskscope::Stage stage, double fraction);
    void tokensArrived(const std::vector<maskscope::TokenProduced>& tokens);
    void maskArrived(const std::shared_ptr<const maskscope::Mask>& mask);
    void memoryArrived(const std::vector<maskscope::MemorySample>& samples);
    void ranksArrived(const std::vector<maskscope::RankSample>& samples);
    void finished(const std::shared_ptr<const maskscope::Report>& report, double tMs);
    void failed(const maskscope::Error& error, double tMs);
    /// How far a replay has come.
    void replayMoved(double tMs);
    /// The worker has nothing to do any more.
    void idle();

private:
    void finishLoading(const std::optional<Error>& error);
    void receive(const Event& event); // on the worker's or the sampler's thread
    void scheduleDelivery();
    void deliver();
    void tell(const std::vector<Event>& batch);
    void beginReplay(const std::shared_ptr<const RunRecord>& record);
    void dropReplay();
    void dispatch(const Event& event);
    void flushTokens();
    void end(const Event& event);
    void setState(State state);

    std::mutex m_inboxMutex;
    std::vector<Event> m_inbox; // guarded by m_inboxMutex

    State m_state = State::Idle;
    std::uint64_t m_newest = 0; // 0 is the loading of the model
    int m_outstanding = 0;
    std::stop_source m_stop;
    Replay* m_replay = nullptr; // the newest request, if it is one
    double m_replayPace = 1;
    std::vector<TokenProduced> m_tokens; // of the batch that is being dispatched
    QTimer m_deliveryTimer;
    QElapsedTimer m_sinceDelivery;
    std::unique_ptr<Worker> m_worker; // last: its thread calls receive()
};

} // namespace maskscope
