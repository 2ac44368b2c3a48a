// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope {

/// Tells the events of a past run as if they came now, at a pace that can be changed meanwhile.
/// It only goes on: who wants to go back begins a new one and seeks in it.
class Replay : public QObject {
    Q_OBJECT
public:
    /// The events get the number `request`.
    Replay(std::shared_ptr<const RunRecord> record, std::uint64_t request, QObject* parent);

    const std::shared_ptr<const RunRecord>& record() const { return m_record; }
    double positionMs() const { return m_positionMs; }
    /// 1 is the pace at which the events came, 0.1 ten times slower, 0 stands still.
    void setPace(double pace) { m_pace = pace; }

    void start();
    /// Tells all up to `tMs`; nothing where that was told before.
    void seek(double tMs);
    /// Tells all that is left at once.
    void skipToEnd();

Q_SIGNALS:
    /// A run that was never ended ends with a Failed that says so.
    void due(const std::vector<maskscope::Event>& events);
    /// Follows due(), and comes also where nothing was due.
    void moved(double tMs);

private:
    std::shared_ptr<const RunRecord> m_record;
    double m_lengthMs;
    std::uint64_t m_request;
    std::size_t m_next = 0;
    double m_positionMs = 0;
    double m_pace = 1;
    bool m_over = false; // all was told
    QTimer m_timer;
    QElapsedTimer m_sinceTick;
};

} // namespace maskscope
