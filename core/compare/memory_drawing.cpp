// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/memory_drawing.h"

#include "core/base/bytes.h"
#include "core/base/change_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace maskscope {

namespace {

constexpr double kWidth = 960, kLeft = 92, kRight = 800;
constexpr double kTop = 30, kPanel = 150, kGap = 42, kDifference = 90;
constexpr std::size_t kMostSteps = 1500;
/// As the window draws them (Okabe and Ito's palette).
constexpr std::array<const char*, kMemoryCategories> kColours{
    "#999999", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#e69f00"};
constexpr std::array<const char*, kMemoryCategories> kNames{
    "weights", "KV cache", "vision", "language", "mask decoder", "ring staging", "other"};

using Samples = std::vector<MemorySample>;

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text)
        safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return safe;
}

/// 0 and up to `most`, in steps of 1, 2 or 5 times a power of ten of `unit`.
std::vector<double> ticksOf(double most, double unit) {
    constexpr double kSteps = 5;
    const double raw = most / unit / kSteps;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= raw * (1 - 1e-9))
            step = factor * power;
    std::vector<double> ticks;
    for (int i = 0; i * step * unit <= most * (1 + 1e-9); ++i)
        ticks.push_back(i * step * unit);
    return ticks;
}

double byteUnitOf(double bytes) {
    double unit = 1;
    while (bytes >= 1024 * unit)
        unit *= 1024;
    return unit;
}

class Drawing {
public:
    Drawing(double lastMs, double mostBytes, double height)
        : m_lastMs(std::max(lastMs, 1.0))
        , m_mostBytes(std::max(mostBytes, 1.0)) {
        m_out.precision(6);
        m_out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << kWidth << ' '
              << height
              << "\" font-family=\"sans-serif\" font-size=\"13\" fill=\"currentColor\">\n";
    }

    void panel(const std::string& title, const Samples& samples, double top) {
        const auto peak = std::ranges::max_element(samples, {}, &MemorySample::live);
        frame(peak == samples.end()
                ? title
                : title + ": at most " + bytesText(peak->live, 2) + " after " + timeText(peak->tMs),
            top, kPanel);
        for (const double bytes : ticksOf(m_mostBytes, byteUnitOf(m_mostBytes)))
            gridLine(top + kPanel * (1 - bytes / m_mostBytes), bytesText(std::int64_t(bytes)));
        std::vector<double> below(samples.size(), 0);
        for (std::size_t c = 0; c < kMemoryCategories; ++c) {
            std::vector<double> above = below;
            for (std::size_t i = 0; i < samples.size(); ++i)
                above[i] += double(samples[i].byCategory[c]);
            if (above != below)
                band(samples, below, above, kColours[c], top);
            below = std::move(above);
        }
        if (peak != samples.end())
            m_out << "<circle cx=\"" << x(peak->tMs) << "\" cy=\""
                  << top + kPanel * (1 - double(peak->live) / m_mostBytes)
                  << "\" r=\"4\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"/>\n";
    }

    /// b - a at every moment, both held between their samples.
    void difference(const std::string& title, const Samples& a, const Samples& b, double top) {
        frame(title, top, kDifference);
        std::vector<std::pair<double, double>> steps;
        double most = 1;
        std::size_t i = 0, k = 0;
        double ofA = 0, ofB = 0;
        while (i < a.size() || k < b.size()) {
            const bool first = k >= b.size() || (i < a.size() && a[i].tMs <= b[k].tMs);
            const MemorySample& next = first ? a[i++] : b[k++];
            (first ? ofA : ofB) = double(next.live);
            if (i == 0 || k == 0)
                continue; // one of both has not begun
            steps.emplace_back(next.tMs, ofB - ofA);
            most = std::max(most, std::abs(ofB - ofA));
        }
        const double middle = top + kDifference / 2;
        label(top, "+" + bytesText(std::int64_t(most)));
        label(middle, "0");
        label(top + kDifference, "-" + bytesText(std::int64_t(most)));
        m_out << "<path fill=\"none\" stroke=\"#999\" d=\"M" << kLeft << ' ' << middle << 'H'
              << kRight
              << "\"/>\n<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" d=\"";
        for (std::size_t n = 0; n < steps.size(); ++n) {
            const double y = middle - steps[n].second / most * kDifference / 2;
            m_out << (n == 0 ? 'M' : 'H') << x(steps[n].first);
            m_out << (n == 0 ? " " : "V") << y;
        }
        m_out << "\"/>\n";
    }

    void timeAxis(double y) {
        constexpr double kSecond = 1000;
        const bool seconds = m_lastMs >= 10 * kSecond;
        for (const double ms : ticksOf(m_lastMs, 1)) {
            m_out << "<text text-anchor=\"middle\" x=\"" << x(ms) << "\" y=\"" << y + 18 << "\">"
                  << (seconds ? ms / kSecond : ms) << (seconds ? " s" : " ms") << "</text>\n";
        }
    }

    void legend(const std::array<bool, kMemoryCategories>& used) {
        double y = kTop + 12;
        for (std::size_t c = kMemoryCategories; c-- > 0;)
            if (used[c]) {
                m_out << "<rect x=\"" << kRight + 16 << "\" y=\"" << y - 11
                      << "\" width=\"13\" height=\"13\" fill=\"" << kColours[c] << "\"/><text x=\""
                      << kRight + 36 << "\" y=\"" << y << "\">" << kNames[c] << "</text>\n";
                y += 21;
            }
    }

    std::string take() {
        m_out << "</svg>\n";
        return m_out.str();
    }

private:
    double x(double ms) const { return kLeft + (kRight - kLeft) * std::min(ms / m_lastMs, 1.0); }

    void frame(const std::string& title, double top, double height) {
        m_out << "<text x=\"" << kLeft << "\" y=\"" << top - 8 << "\" font-weight=\"bold\">"
              << escaped(title) << "</text>\n<rect x=\"" << kLeft << "\" y=\"" << top
              << "\" width=\"" << kRight - kLeft << "\" height=\"" << height
              << "\" fill=\"none\" stroke=\"#999\"/>\n";
    }

    void gridLine(double y, const std::string& text) {
        m_out << "<path fill=\"none\" stroke=\"#999\" stroke-opacity=\"0.4\" d=\"M" << kLeft << ' '
              << y << 'H' << kRight << "\"/>\n";
        label(y, text);
    }

    void label(double y, const std::string& text) {
        m_out << "<text text-anchor=\"end\" x=\"" << kLeft - 8 << "\" y=\"" << y + 4 << "\">"
              << text << "</text>\n";
    }

    void band(const Samples& samples, const std::vector<double>& below,
        const std::vector<double>& above, const char* colour, double top) {
        const auto y = [&](double bytes) { return top + kPanel * (1 - bytes / m_mostBytes); };
        m_out << "<path fill=\"" << colour << "\" d=\"M" << x(samples[0].tMs) << ' ' << y(below[0]);
        for (std::size_t i = 0; i < samples.size(); ++i)
            m_out << 'H' << x(samples[i].tMs) << 'V' << y(above[i]);
        for (std::size_t i = samples.size(); i-- > 0;)
            m_out << 'V' << y(below[i]) << 'H' << x(samples[i].tMs);
        m_out << "Z\"/>\n";
    }

    double m_lastMs;
    double m_mostBytes;
    std::ostringstream m_out;
};

} // namespace

std::vector<MemorySample> thinned(const std::vector<MemorySample>& samples, std::size_t most) {
    if (samples.size() <= most)
        return samples;
    std::vector<MemorySample> kept;
    for (std::size_t i = 0; i < most; ++i) {
        const auto begin = samples.begin() + std::ptrdiff_t(i * samples.size() / most);
        const auto end = samples.begin() + std::ptrdiff_t((i + 1) * samples.size() / most);
        kept.push_back(*std::max_element(
            begin, end, [](const auto& a, const auto& b) { return a.live < b.live; }));
    }
    return kept;
}

std::string memoryDrawing(const std::vector<ComparedRuns>& compared) {
    std::vector<Samples> curves;
    double lastMs = 0, mostBytes = 0;
    std::array<bool, kMemoryCategories> used{};
    for (const ComparedRuns& runs : compared) {
        curves.push_back(thinned(memoryOf(runs.first()), kMostSteps));
        for (const MemorySample& sample : curves.back()) {
            lastMs = std::max(lastMs, sample.tMs);
            mostBytes = std::max(mostBytes, double(sample.live));
            for (std::size_t c = 0; c < kMemoryCategories; ++c)
                used[c] = used[c] || sample.byCategory[c] > 0;
        }
    }
    const double panels = double(curves.size()) * (kPanel + kGap);
    Drawing drawing(lastMs, mostBytes, kTop + panels + kDifference + 34);
    for (std::size_t i = 0; i < curves.size(); ++i)
        drawing.panel(compared[i].header.title, curves[i], kTop + double(i) * (kPanel + kGap));
    drawing.difference(compared[1].header.title + " minus " + compared[0].header.title, curves[0],
        curves[1], kTop + panels);
    drawing.timeAxis(kTop + panels + kDifference);
    drawing.legend(used);
    return drawing.take();
}

} // namespace maskscope
