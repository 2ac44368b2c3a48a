// SPDX-License-Identifier: GPL-3.0-or-later
// How long a frame of the canvas takes while it is panned and zoomed: 24 megapixels with 20 masks,
// painted without a screen. The counters are milliseconds of a frame, over the frames of a round: a
// screen of 60 Hz leaves 16.7. Where other programs compute as well, only `cpu p95` tells much.
#include "ui/canvas.h"
#include "ui/mask_model.h"

#include <QApplication>
#include <QPointingDevice>
#include <QWheelEvent>
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <vector>

namespace maskscope {
namespace {

constexpr int kWidth = 6000;
constexpr int kHeight = 4000;
constexpr int kMasks = 20;
constexpr int kFrames = 200;
constexpr QSize kView(1280, 800);

std::shared_ptr<const Picture> picture() {
    Image image;
    image.width = kWidth;
    image.height = kHeight;
    image.rgb.resize(std::size_t(kWidth) * kHeight * 3);
    std::uint32_t noise = 1;
    for (std::uint8_t& value : image.rgb) {
        noise = noise * 1664525 + 1013904223;
        value = static_cast<std::uint8_t>(noise >> 24);
    }
    return makePicture(std::move(image), QStringLiteral("noise"), {});
}

/// A shape like an object's, with a border that is rough down to single pixels; the first one is
/// the ground around some of the others, with their holes.
std::shared_ptr<const Mask> blob(int index) {
    Mask mask;
    mask.width = kWidth;
    mask.height = kHeight;
    mask.bits.resize(std::size_t(kWidth) * kHeight);
    const double centreX = kWidth * (0.15 + 0.175 * (index % 5));
    const double centreY = kHeight * (0.15 + 0.23 * (index / 5));
    const int reach = index == 0 ? kWidth : 800; // from the middle
    int left = kWidth, top = kHeight, right = 0, bottom = 0;
    for (int y = std::max(0, int(centreY) - reach); y < std::min(kHeight, int(centreY) + reach);
         ++y)
        for (int x = std::max(0, int(centreX) - reach); x < std::min(kWidth, int(centreX) + reach);
             ++x) {
            const double dx = x - centreX, dy = y - centreY;
            const double angle = std::atan2(dy, dx);
            const double rough = 0.0005 * ((x * 7 + y * 13) % 11);
            const double radius = 600 * (1 + 0.25 * std::sin(5 * angle + index) + rough);
            const bool in = (dx * dx + dy * dy < radius * radius) != (index == 0);
            if (!in)
                continue;
            mask.bits[std::size_t(y) * kWidth + std::size_t(x)] = 1;
            ++mask.area;
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
    mask.bbox = {left, top, right - left + 1, bottom - top + 1};
    return std::make_shared<const Mask>(std::move(mask));
}

/// The canvas that all rounds use: making its masks takes longer than all frames.
Canvas& canvas() {
    static auto* masks = new MaskModel;
    static auto* canvas = [] {
        auto* made = new Canvas(*masks);
        made->resize(kView);
        made->setPicture(picture());
        for (int i = 0; i < kMasks; ++i)
            masks->add(blob(i));
        while (!masks->row(kMasks - 1).runs)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
        return made;
    }();
    return *canvas;
}

void scroll(Canvas& canvas, QPoint angle, Qt::KeyboardModifiers modifiers) {
    static const QPointingDevice touchpad(QStringLiteral("touchpad"), 1,
        QInputDevice::DeviceType::TouchPad, QPointingDevice::PointerType::Finger,
        QInputDevice::Capability::Position, 2, 0);
    const QPointF middle(kView.width() * 0.45, kView.height() * 0.55);
    QWheelEvent event(middle, middle, {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false,
        Qt::MouseEventNotSynthesized, &touchpad);
    QApplication::sendEvent(&canvas, &event);
}

/// Frames, each after a step, on a screen with `ratio` physical pixels per logical one.
template <class Step>
void measureFrames(benchmark::State& state, double ratio, Step step) {
    QImage screen(kView * ratio, QImage::Format_RGB32);
    screen.setDevicePixelRatio(ratio);
    std::vector<double> frames;
    std::vector<double> processor;
    for (auto _ : state)
        for (int i = 0; i < kFrames; ++i) {
            step(i);
            const auto begin = std::chrono::steady_clock::now();
            const std::clock_t computed = std::clock(); // by all threads
            canvas().render(&screen);
            processor.push_back(1000.0 * double(std::clock() - computed) / CLOCKS_PER_SEC);
            frames.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                    .count());
        }
    std::sort(frames.begin(), frames.end());
    std::sort(processor.begin(), processor.end());
    state.counters["median"] = frames[frames.size() / 2];
    state.counters["p95"] = frames[frames.size() * 95 / 100];
    state.counters["cpu p95"] = processor[processor.size() * 95 / 100];
}

/// Arguments: the scale in per cent of the image's own size, and the screen's pixel ratio.
void pan(benchmark::State& state) {
    canvas().showActualSize();
    while (canvas().geometryOfImage().scale() * 100 > double(state.range(0)) * 1.1)
        canvas().zoomOut();
    while (canvas().geometryOfImage().scale() * 100 < double(state.range(0)) / 1.1)
        canvas().zoomIn();
    measureFrames(state, double(state.range(1)), [](int i) {
        const int turn = (i / 25) % 4; // around a square
        scroll(canvas(),
            {turn == 0          ? 90
                    : turn == 2 ? -90
                                : 10,
                turn == 1       ? 90
                    : turn == 3 ? -90
                                : 10},
            {});
    });
}
BENCHMARK(pan)
    ->ArgsProduct({{20, 50, 100, 400, 1600}, {1, 2}})
    ->ArgNames({"scale", "ratio"})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

/// From the whole image to its pixels and back.
void zoom(benchmark::State& state) {
    canvas().fit();
    measureFrames(state, double(state.range(0)), [](int i) {
        scroll(canvas(), {0, (i / 50) % 2 == 0 ? 60 : -60}, Qt::ControlModifier);
    });
}
BENCHMARK(zoom)->Arg(1)->Arg(2)->ArgName("ratio")->Unit(benchmark::kMillisecond)->Iterations(1);

} // namespace
} // namespace maskscope

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
