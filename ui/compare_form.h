// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/engine/machine.h"
#include "ui/session.h"

#include <QWidget>
#include <vector>

class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace maskscope {

class CompareRow;

/// The ways in which the same request is run: two to four rows, and how often each.
class CompareForm : public QWidget {
    Q_OBJECT
public:
    explicit CompareForm(QWidget* parent = nullptr);

    /// As `question` is, but for what the rows say; with titles that tell them apart.
    ComparisonPlan plan(const RunHeader& question) const;
    /// What the model and the machine have, as it becomes known.
    void setModel(const ModelDescription& model);
    void setDevices(const std::vector<DeviceInfo>& devices);
    int rowCount() const { return int(m_rows.size()); }
    CompareRow& row(int index) { return *m_rows.at(std::size_t(index)); }
    void setPixels(std::int64_t pixels); ///< of all rows

Q_SIGNALS:
    void changed();

private:
    void addRow(AttentionPath path);
    void removeRow(CompareRow* row);
    void renumber();

    std::vector<CompareRow*> m_rows;
    ModelDescription m_model;
    std::vector<DeviceInfo> m_devices;
    QVBoxLayout* m_list;
    QPushButton* m_add;
    QSpinBox* m_repeats;
};

} // namespace maskscope
