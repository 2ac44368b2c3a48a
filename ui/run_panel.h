// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/engine/request.h"

#include <QWidget>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace maskscope {

class MegapixelBox;
class RingBox;

/// How the next run is done: attention path, ring, image size, KV cache, memory limit, sampling.
/// What is not available here stays visible, disabled, with the reason.
class RunPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// The person's own, also while those of a past run are shown.
    RunSettings settings() const;
    void setSettings(const RunSettings& settings);
    /// Those of a past run, which cannot be changed, until showOwn(). Tells no change.
    void showPast(const RunSettings& settings);
    void showOwn();
    void setCapabilities(const std::vector<AttentionCapability>& capabilities);
    /// That the model accepts.
    void setMostPixels(std::int64_t pixels);
    /// At which it looks where the image size is automatic.
    void setTrainingPixels(std::int64_t pixels);
    /// RunSettings::pixels; 0 is automatic.
    void setPixels(std::int64_t pixels);
    void focusMemoryLimit();
    void chooseAutomaticAttention();

Q_SIGNALS:
    void changed();

private:
    void makeFields();
    RunSettings shownSettings() const;
    void showQuietly(const RunSettings& settings);
    void reset();
    void updateRing();

    QString m_noRing; ///< why this build has none; empty where it has
    std::int64_t m_trainingPixels = 0;
    std::optional<RunSettings> m_own; ///< while those of a past run are shown
    QLabel* m_past;
    QComboBox* m_attention;
    RingBox* m_ranks;
    MegapixelBox* m_megapixels;
    QCheckBox* m_kvCache;
    QSpinBox* m_limit;
    QDoubleSpinBox* m_temperature;
    QLineEdit* m_seed;
};

} // namespace maskscope
