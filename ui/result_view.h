// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/event.h"
#include "ui/picture.h"

#include <QImage>
#include <QWidget>
#include <memory>

namespace maskscope {

enum class ResultMode { Divided, Difference };

/// The results of two runs on one picture: the first left of a divider and the second right of it,
/// or what only one of them has. The divider follows the mouse's drag, Shift and the wheel, and the
/// arrow keys.
class ResultView : public QWidget {
    Q_OBJECT
public:
    explicit ResultView(QWidget* parent = nullptr);

    /// Nothing without a picture. Reports may be null: a run without a result has no masks.
    void setResults(const std::shared_ptr<const Picture>& picture, const Report* first,
        const Report* second, const QString& firstTitle, const QString& secondTitle);
    void setMode(ResultMode mode);
    double divider() const { return m_divider; } ///< 0..1 of the picture's width
    void setDivider(double share);

    QSize sizeHint() const override { return {480, 300}; }
    QSize minimumSizeHint() const override { return {200, 140}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRectF pictureRect() const;
    void moveTo(double x);
    void paintDivided(QPainter& painter, const QRectF& rect);
    void paintTitles(QPainter& painter, const QRectF& rect);

    std::shared_ptr<const Picture> m_picture;
    QImage m_first; // the picture with a run's masks, at most kMostSide
    QImage m_second;
    QImage m_difference;
    QString m_firstTitle;
    QString m_secondTitle;
    ResultMode m_mode = ResultMode::Divided;
    double m_divider = 0.5;
};

} // namespace maskscope
