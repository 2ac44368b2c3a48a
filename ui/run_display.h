// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answer_view.h"
#include "ui/mask_model.h"
#include "ui/session.h"

#include <QObject>
#include <cstdint>
#include <memory>
#include <vector>

namespace maskscope {

class MemoryPanel;
class StatusLine;

/// Brings what the session tells about the newest run to the panels that show it.
class RunDisplay : public QObject {
    Q_OBJECT
public:
    /// All of them outlive it.
    RunDisplay(Session& session, AnswerView& answer, MaskModel& masks, MemoryPanel& memory,
        StatusLine& status, QObject* parent);

    /// Shows what was found on another picture in place of what was found on this one.
    void show(const AnswerView::Content& answer, std::vector<MaskModel::Row> masks);

Q_SIGNALS:
    void failed(const maskscope::Error& error);
    /// A run has finished, was stopped or failed, and the panels show it.
    void ended();

private:
    void begin(const Request& request);
    void addMask(const std::shared_ptr<const Mask>& mask);
    void finish(const std::shared_ptr<const Report>& report, double tMs);
    void fail(const Error& error, double tMs);
    void dropSuperseded();

    AnswerView& m_answer;
    MaskModel& m_masks;
    MemoryPanel& m_memory;
    StatusLine& m_status;
    std::int64_t m_trainingPixels = 0; // of the model; 0 before it is loaded
    QString m_words; // of the newest request
    MaskSource m_source = MaskSource::Words; // of its masks
    bool m_masksAreOld = false; // of the run before, shown until this one brings its own
};

} // namespace maskscope
