// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/chart.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace maskscope {

namespace {

using Colour = std::array<int, 3>;
enum class Align { Left, Centre, Right };

constexpr int kWidth = 960, kHeight = 600;
constexpr int kNoteHeight = 22;
constexpr double kLeft = 90, kRight = 930, kTop = 50, kBottom = 540;
constexpr Colour kInk{40, 40, 40}, kGrid{222, 222, 222};
/// Okabe and Ito's palette: told apart by colour-blind eyes too.
constexpr std::array<Colour, 6> kColours{
    {{213, 94, 0}, {0, 114, 178}, {0, 158, 115}, {204, 121, 167}, {230, 159, 0}, {86, 180, 233}}};

/// What a chart is drawn on, in pixels from the upper left.
class Canvas {
public:
    virtual ~Canvas() = default;
    virtual void line(const std::vector<ChartPoint>& points, Colour colour, double width) = 0;
    virtual void dot(ChartPoint centre, Colour colour) = 0;
    virtual void text(ChartPoint at, Align align, const std::string& text, Colour colour) = 0;
};

class SvgCanvas final : public Canvas {
public:
    explicit SvgCanvas(int height) {
        m_text << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << kWidth << ' '
               << height << "\" font-family=\"sans-serif\" font-size=\"15\">\n"
               << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    }
    std::string finish() {
        m_text << "</svg>\n";
        return m_text.str();
    }
    void line(const std::vector<ChartPoint>& points, Colour colour, double width) override {
        m_text << "<polyline fill=\"none\" stroke=\"" << rgb(colour) << "\" stroke-width=\""
               << width << "\" points=\"";
        for (const ChartPoint& point : points)
            m_text << point.x << ',' << point.y << ' ';
        m_text << "\"/>\n";
    }
    void dot(ChartPoint centre, Colour colour) override {
        m_text << "<circle cx=\"" << centre.x << "\" cy=\"" << centre.y << "\" r=\"4.5\" fill=\""
               << rgb(colour) << "\"/>\n";
    }
    void text(ChartPoint at, Align align, const std::string& text, Colour colour) override {
        constexpr std::array kAnchors{"start", "middle", "end"};
        m_text << "<text x=\"" << at.x << "\" y=\"" << at.y << "\" text-anchor=\""
               << kAnchors[static_cast<std::size_t>(align)] << "\" fill=\"" << rgb(colour) << "\">"
               << escaped(text) << "</text>\n";
    }

private:
    static std::string rgb(Colour colour) {
        return "rgb(" + std::to_string(colour[0]) + ',' + std::to_string(colour[1]) + ','
            + std::to_string(colour[2]) + ')';
    }
    static std::string escaped(const std::string& text) {
        std::string safe;
        for (const char c : text)
            safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
        return safe;
    }
    std::ostringstream m_text;
};

class PixelCanvas final : public Canvas {
public:
    explicit PixelCanvas(int height)
        : m_pixels(height, kWidth, CV_8UC3, cv::Scalar::all(255)) { }
    Image finish() const {
        Image image;
        image.width = kWidth;
        image.height = m_pixels.rows;
        image.rgb.assign(m_pixels.datastart, m_pixels.dataend);
        return image;
    }
    void line(const std::vector<ChartPoint>& points, Colour colour, double width) override {
        for (std::size_t i = 1; i < points.size(); ++i)
            cv::line(m_pixels, fixed(points[i - 1]), fixed(points[i]), scalar(colour),
                int(std::lround(width)), cv::LINE_AA, kFraction);
    }
    void dot(ChartPoint centre, Colour colour) override {
        cv::circle(m_pixels, fixed(centre), (9 << kFraction) / 2, scalar(colour), cv::FILLED,
            cv::LINE_AA, kFraction);
    }
    void text(ChartPoint at, Align align, const std::string& text, Colour colour) override {
        constexpr double kScale = 0.5;
        int baseline = 0;
        const int width
            = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, kScale, 1, &baseline).width;
        const int shift = align == Align::Left ? 0 : align == Align::Right ? width : width / 2;
        cv::putText(m_pixels, text, {int(at.x) - shift, int(at.y)}, cv::FONT_HERSHEY_SIMPLEX,
            kScale, scalar(colour), 1, cv::LINE_AA);
    }

private:
    static constexpr int kFraction = 4; ///< binary digits of coordinates
    static cv::Point fixed(ChartPoint point) {
        return {int(std::lround(point.x * (1 << kFraction))),
            int(std::lround(point.y * (1 << kFraction)))};
    }
    static cv::Scalar scalar(Colour c) { return {double(c[0]), double(c[1]), double(c[2])}; }
    cv::Mat m_pixels; ///< red, green, blue
};

/// 1, 2 or 5 times a power of ten, so that about six of them fill the range.
double niceStep(double range) {
    const double raw = range / 6;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power)
            return factor * power;
    return 10 * power;
}

struct Axis {
    double most = 1; ///< of the data
    double from = 0; ///< pixels
    double to = 1;

    double step() const { return niceStep(most); }
    double end() const { return std::ceil(most / step() - 1e-9) * step(); }
    double pixel(double value) const { return from + (to - from) * value / end(); }
};

std::string numberText(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

void drawAxes(const Chart& chart, const Axis& x, const Axis& y, Canvas& canvas) {
    for (double value = 0; value <= x.end() * 1.0001; value += x.step()) {
        canvas.line({{x.pixel(value), kTop}, {x.pixel(value), kBottom}}, kGrid, 1);
        canvas.text({x.pixel(value), kBottom + 20}, Align::Centre, numberText(value), kInk);
    }
    for (double value = 0; value <= y.end() * 1.0001; value += y.step()) {
        canvas.line({{kLeft, y.pixel(value)}, {kRight, y.pixel(value)}}, kGrid, 1);
        canvas.text({kLeft - 8, y.pixel(value) + 5}, Align::Right, numberText(value), kInk);
    }
    canvas.line({{kLeft, kTop}, {kLeft, kBottom}, {kRight, kBottom}}, kInk, 1);
    canvas.text({(kLeft + kRight) / 2, 28}, Align::Centre, chart.title, kInk);
    canvas.text({(kLeft + kRight) / 2, kBottom + 44}, Align::Centre, chart.xLabel, kInk);
    canvas.text({12, kTop - 14}, Align::Left, chart.yLabel, kInk);
}

void draw(const Chart& chart, Canvas& canvas) {
    Axis x{0, kLeft, kRight}, y{0, kBottom, kTop};
    for (const ChartSeries& series : chart.series)
        for (const auto* list : {&series.points, &series.curve})
            for (const ChartPoint& point : *list) {
                x.most = std::max(x.most, point.x);
                y.most = std::max(y.most, point.y);
            }
    x.most = x.most > 0 ? x.most : 1;
    y.most = y.most > 0 ? y.most : 1;
    drawAxes(chart, x, y, canvas);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        const ChartSeries& series = chart.series[i];
        const Colour colour = kColours[i % kColours.size()];
        std::vector<ChartPoint> curve;
        for (const ChartPoint& point : series.curve)
            curve.push_back({x.pixel(point.x), y.pixel(std::max(0.0, point.y))});
        canvas.line(curve, colour, 2);
        for (const ChartPoint& point : series.points)
            canvas.dot({x.pixel(point.x), y.pixel(point.y)}, colour);
        const double row = kTop + 24 + 22 * double(i);
        canvas.dot({kLeft + 24, row - 5}, colour);
        canvas.text({kLeft + 38, row}, Align::Left, series.name, kInk);
    }
    for (std::size_t i = 0; i < chart.notes.size(); ++i)
        canvas.text(
            {12, kHeight + kNoteHeight * (double(i) + 0.5)}, Align::Left, chart.notes[i], kInk);
}

int heightOf(const Chart& chart) {
    return kHeight + kNoteHeight * int(chart.notes.size());
}

} // namespace

std::string svgOf(const Chart& chart) {
    SvgCanvas canvas(heightOf(chart));
    draw(chart, canvas);
    return canvas.finish();
}

Image imageOf(const Chart& chart) {
    PixelCanvas canvas(heightOf(chart));
    draw(chart, canvas);
    return canvas.finish();
}

} // namespace maskscope
