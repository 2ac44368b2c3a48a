// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session.h"

#include <QObject>
#include <memory>

namespace maskscope {

class AnswerView;
class MaskModel;
class MemoryPanel;
class StatusLine;

/// Brings what the session tells about the newest run to the panels that show it.
class RunDisplay : public QObject {
    Q_OBJECT
public:
    /// All of them outlive it.
    RunDisplay(Session& session, AnswerView& answer, MaskModel& masks, MemoryPanel& memory,
        StatusLine& status, QObject* parent);

    /// Forgets the masks of a picture that is no longer shown.
    void clear();

Q_SIGNALS:
    void failed(const maskscope::Error& error);
    /// A run has finished, was stopped or failed, and the panels show it.
    void ended();

private:
    void begin(const Request& request);
    void addMask(const std::shared_ptr<const Mask>& mask);
    void finish(const std::shared_ptr<const Report>& report, double tMs);
    void fail(const Error& error, double tMs);
    void dropOldMasks();

    AnswerView& m_answer;
    MaskModel& m_masks;
    MemoryPanel& m_memory;
    StatusLine& m_status;
    bool m_masksAreOld = false; // of the run before, shown until this one brings its own
};

} // namespace maskscope
