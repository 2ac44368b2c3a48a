// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"
#include "core/engine/machine.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QToolButton;
class QVBoxLayout;

namespace maskscope {

/// The ways in which the same request is run: two to four rows of attention path, precision and KV
/// cache, and how often. What is not available here stays visible, disabled.
class CompareForm : public QWidget {
    Q_OBJECT
public:
    explicit CompareForm(QWidget* parent = nullptr);

    /// As `question` is, but for what the rows say; with titles that tell them apart.
    ComparisonPlan plan(const RunHeader& question) const;
    void setCapabilities(const std::vector<AttentionCapability>& capabilities);
    int rowCount() const { return int(m_rows.size()); }

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QWidget* widget;
        QLabel* number;
        QComboBox* path;
        QComboBox* precision;
        QCheckBox* cache;
        QToolButton* remove;
    };

    void addRow(AttentionPath path);
    void removeRow(const QWidget* widget);
    void applyCapabilities(QComboBox& paths) const;
    void renumber();

    std::vector<Row> m_rows;
    std::vector<AttentionCapability> m_capabilities;
    QVBoxLayout* m_list;
    QPushButton* m_add;
    QSpinBox* m_repeats;
};

} // namespace maskscope
