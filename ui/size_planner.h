// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/machine.h"
#include "core/measure/layer.h"
#include "ui/picture.h"
#include "ui/session.h"
#include "ui/size_plan.h"

#include <QWidget>
#include <optional>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;

namespace maskscope {

class FigureTable;

/// Foretells, without running anything, what an image size needs on each path, and the other way
/// round what size fits into the memory. Gives the size to the segmentation page, shrunk to fit.
class SizePlanner : public QWidget {
    Q_OBJECT
public:
    explicit SizePlanner(QWidget* parent = nullptr);

    void setMachine(const MachineInfo& machine);
    void setModel(const ModelDescription& model);
    /// The layer beside the model's run; its path and patches are replaced.
    void setLayer(const LayerShape& shape, int threads);
    /// That of the segmentation page, whose shape decides how many patches a size has; without one
    /// it is 3:2.
    void setPicture(const std::shared_ptr<const Picture>& picture);
    /// The path that the segmentation page runs on.
    void setRunPath(AttentionPath path);

    std::int64_t pixels() const;
    QString headline() const;

Q_SIGNALS:
    /// For the segmentation page: RunSettings::pixels.
    void pixelsChosen(qint64 pixels);

private:
    struct PathPlan {
        AttentionPath path = AttentionPath::Sdpa;
        NeedCurve need; ///< of the model, empty without one
        std::int64_t mostPixels = 0; ///< that fit
    };

    QWidget* makeControls();
    void connectControls();
    void makePlans();
    void planPaths();
    void showSize();
    void showHeadline();
    void showStep();
    std::optional<std::int64_t> budget() const;
    QString pictureText() const; ///< "a 3:2 picture", "tea_time.png"
    std::int64_t layerBytes(std::int64_t patches, AttentionPath path) const;
    /// What decides whether it fits: a whole run, or without a model the layer.
    std::int64_t needOf(std::int64_t pixels, const PathPlan& plan) const;
    /// The segmentation page's size when the slider's is wanted.
    std::int64_t fittingPixels() const;

    std::vector<AttentionPath> m_available;
    std::vector<RunForecast> m_forecasts;
    std::int64_t m_modelPixels = 0; ///< the most that the model accepts; 0 without one
    LayerShape m_shape;
    int m_threads = 1;
    std::optional<std::int64_t> m_free;
    AttentionPath m_runPath = AttentionPath::Auto;
    PictureShape m_picture;
    QString m_pictureName; ///< as it is told; empty without one
    std::vector<PathPlan> m_paths;
    QLabel* m_headline;
    QDoubleSpinBox* m_memory;
    QSlider* m_slider;
    QLabel* m_size;
    QPushButton* m_use;
    FigureTable* m_table;
};

} // namespace maskscope
