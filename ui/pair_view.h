// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <QWidget>
#include <vector>

class QVBoxLayout;

namespace maskscope {

/// In place of the form: which past runs are compared, by their colours in the graph, and the way
/// back to the form.
class PairView : public QWidget {
    Q_OBJECT
public:
    explicit PairView(QWidget* parent = nullptr);

    /// Text of the runs is data.
    void setRuns(const std::vector<ComparedRuns>& compared);

Q_SIGNALS:
    void backRequested();

private:
    QVBoxLayout* m_list;
};

} // namespace maskscope
