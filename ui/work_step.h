// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/image_work.h"

#include <QUndoCommand>
#include <functional>

namespace maskscope {

/// A step on an image that can be taken back and done again: all that had been done before and
/// after it. That is small, because both share the masks that they have in common.
class WorkStep : public QUndoCommand {
public:
    enum class Kind {
        Prompt, ///< a click or a box was placed; what its run finds belongs to this step
        Run,
        Edit,
    };
    using Show = std::function<void(const ImageWork&)>;

    /// `text` is what is taken back, as in "Undo delete"; plain text.
    WorkStep(const QString& text, Kind kind, ImageWork before, ImageWork after, Show show);

    void undo() override;
    /// Not the first time: then the step has just been done.
    void redo() override;
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override;

private:
    Kind m_kind;
    ImageWork m_before;
    ImageWork m_after;
    Show m_show;
    bool m_isDone = false;
};

} // namespace maskscope
