// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/anatomy_tools.h"
#include "ui/job.h"

#include <memory>

namespace maskscope {

/// Takes anatomies, each by doing a run again.
class AnatomyJob : public Job {
    Q_OBJECT
public:
    explicit AnatomyJob(TakeAnatomy take, QObject* parent = nullptr);

    /// While Idle.
    void start(const AnatomyQuestion& question);

Q_SIGNALS:
    void reached(maskscope::Stage stage);
    /// Not of one that was stopped or failed.
    void taken(const std::shared_ptr<const maskscope::Anatomy>& anatomy);

private:
    TakeAnatomy m_take;
};

} // namespace maskscope
