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

/// Tells the events of a past run at the pace at which they came, as if they came now.
class Replay : public QObject {
    Q_OBJECT
public:
    /// The events get the number `request`.
    Replay(std::shared_ptr<const RunRecord> record, std::uint64_t request, QObject* parent);

    void start();
    /// Tells all that is left at once.
    void skipToEnd();

Q_SIGNALS:
    /// A run that was never ended ends with a Failed that says so.
    void due(const std::vector<maskscope::Event>& events);

private:
    void tell(double untilMs);
    bool isOver() const { return m_next == m_record->events.size(); }

    std::shared_ptr<const RunRecord> m_record;
    std::uint64_t m_request;
    std::size_t m_next = 0;
    QTimer m_timer;
    QElapsedTimer m_sinceStart;
};

} // namespace maskscope
