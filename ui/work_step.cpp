// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work_step.h"

#include <utility>

namespace maskscope {

WorkStep::WorkStep(const QString& text, Kind kind, ImageWork before, ImageWork after, Show show)
    : QUndoCommand(text)
    , m_kind(kind)
    , m_before(std::move(before))
    , m_after(std::move(after))
    , m_show(std::move(show)) { }

void WorkStep::undo() {
    m_show(m_before);
}

void WorkStep::redo() {
    if (std::exchange(m_isDone, true))
        m_show(m_after);
}

bool WorkStep::mergeWith(const QUndoCommand* next) {
    const auto& step = static_cast<const WorkStep&>(*next);
    if (m_kind != Kind::Prompt || step.m_kind != Kind::Run)
        return false;
    m_kind = Kind::Run;
    m_after = step.m_after;
    return true;
}

} // namespace maskscope
