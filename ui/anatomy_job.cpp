// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/anatomy_job.h"

#include <utility>

namespace maskscope {

AnatomyJob::AnatomyJob(TakeAnatomy take, QObject* parent)
    : Job(parent)
    , m_take(std::move(take)) { }

void AnatomyJob::start(const AnatomyQuestion& question) {
    begin([this, question, take = m_take](const std::stop_token& stop) {
        const auto onStage
            = [this](Stage stage) { post([this, stage] { Q_EMIT reached(stage); }); };
        const auto anatomy = std::make_shared<const Anatomy>(take(question, onStage, stop));
        post([this, anatomy] { Q_EMIT taken(anatomy); });
    });
}

} // namespace maskscope
