// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/machine.h"
#include "core/history/run_header.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace maskscope {

class MegapixelBox;
class RingBox;

/// One way in which a request is run: attention path, a ring's ranks, precision, image size,
/// threads, KV cache and, where there are several, the device. What is not available here stays
/// visible, disabled.
class CompareRow : public QWidget {
    Q_OBJECT
public:
    explicit CompareRow(AttentionPath path, QWidget* parent = nullptr);

    /// As `question` is, but for what the row says; with a title that says it too.
    RunHeader header(const RunHeader& question) const;
    void setColour(const QColor& colour);
    void setRemovable(bool removable);
    void setCapabilities(const std::vector<AttentionCapability>& capabilities);
    void setDevices(const std::vector<DeviceInfo>& devices);
    void setMostPixels(std::int64_t pixels);
    void setAttention(AttentionPath path);
    void setPixels(std::int64_t pixels); ///< 0 is the request's

Q_SIGNALS:
    void changed();
    void removeRequested();

private:
    void fill(AttentionPath path);
    void arrange();
    void showRanks();

    QLabel* m_mark;
    QComboBox* m_path;
    QComboBox* m_precision;
    RingBox* m_ranks;
    MegapixelBox* m_size;
    QSpinBox* m_threads;
    QComboBox* m_device;
    QCheckBox* m_cache;
    QToolButton* m_remove;
};

} // namespace maskscope
