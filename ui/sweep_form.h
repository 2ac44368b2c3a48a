// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/machine.h"
#include "core/measure/sweep.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace maskscope {

/// What a sweep measures: paths, sizes, the layer's shape, and how. What is not available here
/// stays visible, disabled, with the reason.
class SweepForm : public QWidget {
    Q_OBJECT
public:
    explicit SweepForm(QWidget* parent = nullptr);

    /// Or what is wrong, as a sentence with the next step.
    Result<SweepPlan> plan() const;
    void setPlan(const SweepPlan& plan);
    void setCapabilities(const std::vector<AttentionCapability>& capabilities);
    /// Paths that can be chosen here.
    bool offers(LayerPath path) const;

Q_SIGNALS:
    void changed();

private:
    struct PathBox {
        LayerPath path;
        QCheckBox* box;
        bool available = true; ///< here, also while the form is disabled
    };

    QWidget* makePaths();
    void makeFields();
    void connectFields();
    void fillPreset();
    void showPreset();

    std::vector<PathBox> m_paths;
    QLabel* m_reason;
    QComboBox* m_preset;
    QLineEdit* m_sizes;
    QSpinBox* m_blocks;
    QSpinBox* m_heads;
    QSpinBox* m_width;
    QComboBox* m_precision;
    QSpinBox* m_threads;
    QSpinBox* m_repeats;
    QSpinBox* m_limit;
    QCheckBox* m_preflight;
};

/// Numbers of patches, apart by commas or spaces; "2MP" stands for a 3:2 picture of that size.
Result<std::vector<std::int64_t>> sizesFrom(const QString& text);

} // namespace maskscope
