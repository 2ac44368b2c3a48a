// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style.h"

#include "tests/ui/ui_test.h"
#include "ui/theme.h"

#include <QApplication>
#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSlider>
#include <QStyleOption>
#include <cstdlib>
#include <utility>

namespace maskscope {

class StyleTest : public UiTest {
    Q_OBJECT

    ThemeSwitch m_theme;

    /// How light the widget is in a point from 0 to 1 of its height.
    static int lightnessAt(QWidget& widget, double y) {
        const QImage image = widget.grab().toImage();
        return image.pixelColor(image.width() / 2, int(y * (image.height() - 1))).lightness();
    }

private Q_SLOTS:
    void theHandleOfAScrollBarStandsOut() {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            m_theme.apply(theme);
            QScrollBar bar(Qt::Vertical);
            bar.resize(16, 400);
            bar.setRange(0, 300);
            bar.setPageStep(100);
            const auto contrast = [&](double of, double against) {
                const int difference = lightnessAt(bar, of) - lightnessAt(bar, against);
                return theme == Theme::Light ? -difference : difference;
            };
            QVERIFY(contrast(0.1, 0.9) > 60);
            bar.setValue(300);
            QVERIFY(contrast(0.9, 0.1) > 60);
            bar.setRange(0, 0); // nothing to scroll
            QCOMPARE(contrast(0.1, 0.9), 0);
        }
    }

    void aScrollBarIsDraggedAndPaged() {
        QScrollBar bar(Qt::Vertical);
        bar.resize(16, 400);
        bar.setRange(0, 300);
        bar.setPageStep(100);
        bar.show();
        QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(8, 300)); // below the handle
        QCOMPARE(bar.value(), 100);
        QTest::mousePress(&bar, Qt::LeftButton, {}, QPoint(8, 150));
        QVERIFY(bar.isSliderDown());
        QMouseEvent move(QEvent::MouseMove, QPointF(8, 250), bar.mapToGlobal(QPointF(8, 250)),
            Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&bar, &move);
        QTest::mouseRelease(&bar, Qt::LeftButton, {}, QPoint(8, 250));
        QCOMPARE(bar.value(), 200);
    }

    void aSliderGoesWhereItIsClicked() {
        QSlider slider(Qt::Horizontal);
        slider.setRange(0, 100);
        slider.resize(300, 24);
        slider.show();
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(150, 12));
        QVERIFY2(std::abs(slider.value() - 50) <= 2, qPrintable(QString::number(slider.value())));
    }

    void theArrowOfASortedColumnPointsUpWhereValuesIncrease() {
        m_theme.apply(Theme::Light);
        const QHeaderView header(Qt::Horizontal);
        const auto arrow = [&](Qt::SortOrder order) {
            QStyleOptionHeader option;
            option.rect = QRect(0, 0, 40, 40);
            option.palette = header.palette();
            option.state = QStyle::State_Enabled;
            option.sortIndicator = order == Qt::AscendingOrder ? QStyleOptionHeader::SortDown
                                                               : QStyleOptionHeader::SortUp;
            QImage image(40, 40, QImage::Format_RGB32);
            image.fill(Qt::white);
            QPainter painter(&image);
            QApplication::style()->drawPrimitive(
                QStyle::PE_IndicatorHeaderArrow, &option, &painter, &header);
            return image;
        };
        // An arrow that points up has its dark pixels' widest row at the bottom.
        const auto widest = [](const QImage& image) {
            int best = -1, most = 0, first = -1, last = -1;
            for (int y = 0; y < image.height(); ++y) {
                int dark = 0;
                for (int x = 0; x < image.width(); ++x)
                    dark += image.pixelColor(x, y).lightness() < 200;
                if (dark == 0)
                    continue;
                first = first < 0 ? y : first;
                last = y;
                if (dark > most) {
                    most = dark;
                    best = y;
                }
            }
            return std::pair(best - first, last - best);
        };
        const auto [aboveUp, belowUp] = widest(arrow(Qt::AscendingOrder));
        QVERIFY(aboveUp > belowUp);
        const auto [aboveDown, belowDown] = widest(arrow(Qt::DescendingOrder));
        QVERIFY(aboveDown < belowDown);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::StyleTest)
#include "style_test.moc"
