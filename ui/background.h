// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <utility>

namespace maskscope {

/// Runs work on one thread of its own, in order, and hands every result back on the thread that
/// owns this object. Destruction drops what waits, waits for what runs and delivers nothing more.
class Background : public QObject {
public:
    explicit Background(QObject* parent = nullptr);
    ~Background() override;

    /// `work` must not throw and must not touch anything that it does not own; `done` gets its
    /// result.
    template <class Work, class Done>
    void run(Work work, Done done) {
        m_pool.start([this, work = std::move(work), done = std::move(done)]() mutable {
            auto deliver
                = [result = work(), done = std::move(done)]() mutable { done(std::move(result)); };
            QMetaObject::invokeMethod(this, std::move(deliver), Qt::QueuedConnection);
        });
    }

    void dropWaiting() { m_pool.clear(); }
    /// Waits until all work is done.
    void finish() { m_pool.waitForDone(); }

private:
    QThreadPool m_pool;
};

} // namespace maskscope
