// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/sweep.h"

#include <QWidget>

class QVBoxLayout;

namespace maskscope {

/// The paths of a sweep that ended for want of memory: what was asked, what was free, and ways on.
class Refusals : public QWidget {
    Q_OBJECT
public:
    explicit Refusals(QWidget* parent = nullptr);

    void clear();
    /// `other` is a path to go on with, absent where there is none; `fitting` the plan's sizes that
    /// do fit.
    void add(const SweepEnd& end, const std::optional<LayerPath>& other,
        const std::vector<std::int64_t>& fitting);

Q_SIGNALS:
    void pathWanted(maskscope::LayerPath instead, maskscope::LayerPath path);
    void sizesWanted(const std::vector<std::int64_t>& sizes);

private:
    QVBoxLayout* m_layout;
};

} // namespace maskscope
