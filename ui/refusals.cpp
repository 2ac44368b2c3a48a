// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/refusals.h"

#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/message_bar.h"

#include <QVBoxLayout>

namespace maskscope {

Refusals::Refusals(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("refusals"));
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(1);
    hide();
}

void Refusals::clear() {
    for (MessageBar* bar : findChildren<MessageBar*>()) {
        bar->hide();
        bar->deleteLater(); // it may be the one whose step brought us here
        m_layout->removeWidget(bar);
    }
    hide();
}

void Refusals::add(const SweepEnd& end, const std::optional<LayerPath>& other,
    const std::vector<std::int64_t>& fitting) {
    auto* bar = new MessageBar(this);
    bar->setObjectName(QStringLiteral("refusal"));
    m_layout->addWidget(bar);
    std::vector<MessageBar::Step> steps;
    if (other)
        steps.push_back({tr("Measure %1 instead").arg(toQString(nameOf(*other))),
            [this, end, path = *other] { Q_EMIT pathWanted(end.path, path); }});
    if (!fitting.empty())
        steps.push_back({tr("Only sizes that fit, to %1").arg(countText(fitting.back())),
            [this, fitting] { Q_EMIT sizesWanted(fitting); }});
    bar->showMessage(MessageBar::Kind::Error, toQString(end.error.sentence), steps);
    show();
}

} // namespace maskscope
