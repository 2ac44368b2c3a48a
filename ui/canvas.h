// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compose.h"
#include "ui/image_geometry.h"
#include "ui/mask_overlay.h"
#include "ui/picture.h"
#include "ui/prompts.h"
#include "ui/settings.h"

#include <QWidget>
#include <memory>
#include <optional>

namespace maskscope {

class MaskModel;

/// Whether clicks and boxes are seen with the tools that place them, or always: those of a past
/// run.
enum class PromptMarks { WithTool, Always };

/// Shows the image with its masks and the prompts on it, and turns mouse and keys into views and
/// prompts. It decides nothing: what was clicked is emitted.
///
/// The wheel zooms at the pointer (with Shift it scrolls sideways, on a touchpad without Ctrl both
/// ways), middle button or Space and left button pan. Without a mouse: arrow keys move a cross
/// (with the words tool the view), Enter places a point there or a corner of a box, + and − zoom.
class Canvas : public QWidget {
    Q_OBJECT
public:
    explicit Canvas(MaskModel& masks, QWidget* parent = nullptr);

    /// Fits it into the view.
    void setPicture(const std::shared_ptr<const Picture>& picture);
    void setTool(Tool tool);
    Tool tool() const { return m_tool; }
    void setPrompts(const PromptSet& prompts, PromptMarks marks = PromptMarks::WithTool);
    void setMaskOpacity(int percent);
    void setMaskStyle(MaskStyle style);
    void setPixelGrid(PixelGrid grid);

    const ImageGeometry& geometryOfImage() const { return m_geometry; }
    void fit();
    void showActualSize();
    void zoomIn();
    void zoomOut();

    QSize sizeHint() const override { return {720, 520}; }
    QSize minimumSizeHint() const override { return {240, 160}; }

Q_SIGNALS:
    void pointPlaced(const maskscope::PointPrompt& point);
    void boxDrawn(const maskscope::BoxPrompt& box, maskscope::BoxOrder order);
    void maskClicked(std::optional<int> row);
    void maskHovered(std::optional<int> row);
    void scaleChanged(double scale);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag { None, Pan, MaybePan, Box };

    void setGeometryOfImage(const ImageGeometry& geometry);
    void paintOnScreenPixels(QPainter& painter);
    void repaintMasks();
    /// The middle of the screen's pixel that the pointer is on, in image coordinates.
    QPointF pointerInImage(const QMouseEvent& event) const;
    std::optional<int> maskUnder(const QMouseEvent& event) const;
    void updateCursor();
    void placePoint(QPointF image, PointSign sign);
    void finishBox(QPointF image, BoxOrder order);
    bool obey(QKeyEvent* event); ///< whether the key means something here
    bool moveCross(QKeyEvent* event);
    void pressCross(QKeyEvent* event);
    void cancelDrag();

    MaskModel& m_masks;
    std::shared_ptr<const Picture> m_picture;
    ImageGeometry m_geometry;
    PromptSet m_prompts;
    PromptMarks m_marks = PromptMarks::WithTool;
    Tool m_tool = Tool::Words;
    int m_opacity = Settings::kDefaultOpacity;
    MaskStyle m_style = MaskStyle::Filled;
    PixelGrid m_grid = PixelGrid::Shown;
    MaskOverlay m_overlay;
    bool m_overlayIsCurrent = false;

    Drag m_drag = Drag::None;
    Qt::MouseButton m_dragButton = Qt::NoButton;
    bool m_spaceHeld = false;
    bool m_showsFocus = false; // it came by the keyboard
    QPointF m_dragStart; // view
    ImageGeometry m_dragGeometry; // when it began
    std::optional<QPointF> m_boxStart; // image
    QPointF m_boxEnd; // image
    std::optional<QPointF> m_cross; // image; shown once a key has moved it
};

} // namespace maskscope
