// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph_axis.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>

namespace maskscope {

namespace {

constexpr double kUnitStep = 1024;
constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};

std::size_t unitOf(double bytes) {
    std::size_t unit = 0;
    // 1023.9996 KiB would be written "1024 KiB": change the unit where three figures round up.
    while (unit + 1 < kUnits.size() && bytes >= kUnitStep - 0.5) {
        bytes /= kUnitStep;
        ++unit;
    }
    return unit;
}

// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
double roundStep(double least) {
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

// "50.0 MiB" becomes "50 MiB", "1.50 s" "1.5 s".
QString withoutZeros(const QString& text) {
    static const QRegularExpression kZeros(QStringLiteral("\\.0+(?!\\d)|(\\.\\d*[1-9])0+(?!\\d)"));
    return QString(text).replace(kZeros, QStringLiteral("\\1"));
}

} // namespace

QString sizeText(std::int64_t bytes) {
    const auto amount = std::abs(static_cast<double>(bytes));
    const std::size_t unit = unitOf(amount);
    const double value = static_cast<double>(bytes) / std::pow(kUnitStep, unit);
    const double size = std::abs(value);
    const int decimals = unit == 0 || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return QString::number(value, 'f', decimals) + QChar(QChar::Nbsp)
        + QLatin1StringView(kUnits.at(unit));
}

QString sizeText(std::optional<std::int64_t> bytes) {
    return bytes ? sizeText(*bytes) : QStringLiteral("N/A");
}

QString countText(std::int64_t count) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

QString durationText(double ms) {
    const QChar space(QChar::Nbsp);
    if (ms < 999.5)
        return QString::number(ms, 'f', 0) + space + QStringLiteral("ms");
    const double seconds = ms / 1000;
    if (seconds < 9.995)
        return QString::number(seconds, 'f', 2) + space + QStringLiteral("s");
    if (seconds < 59.95)
        return QString::number(seconds, 'f', 1) + space + QStringLiteral("s");
    const auto whole = static_cast<long long>(std::llround(seconds));
    return QString::number(whole / 60) + space + QStringLiteral("min") + space
        + QStringLiteral("%1").arg(whole % 60, 2, 10, QLatin1Char('0')) + space
        + QStringLiteral("s");
}

QString byteMarkText(double bytes) {
    return withoutZeros(sizeText(static_cast<std::int64_t>(bytes)));
}

QString timeMarkText(double ms) {
    return withoutZeros(durationText(ms));
}

std::vector<double> GraphAxis::marks() const {
    std::vector<double> result;
    if (!(step > 0))
        return result;
    const double first = std::ceil(lower / step - 1e-9);
    for (double i = first; i * step <= upper * (1 + 1e-9); ++i)
        result.push_back(i * step);
    return result;
}

GraphAxis bytesAxis(double most, int wantedMarks) {
    GraphAxis axis;
    const double upper = std::max(most, 1.0) * kAxisAir;
    const double unit = std::pow(kUnitStep, unitOf(std::max(most, 1.0)));
    axis.upper = upper;
    axis.step = roundStep(upper / unit / std::max(1, wantedMarks)) * unit;
    return axis;
}

GraphAxis timeAxis(double lower, double upper, int wantedMarks) {
    GraphAxis axis{lower, std::max(upper, lower + 1e-3), 1};
    const double least = (axis.upper - axis.lower) / std::max(1, wantedMarks);
    constexpr double kMinute = 60'000;
    if (least > 30'000) {
        // Beyond half a minute tens are not round any more.
        for (const double minutes : {1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440})
            if (minutes * kMinute >= least) {
                axis.step = minutes * kMinute;
                return axis;
            }
        axis.step = std::ceil(least / (1440 * kMinute)) * 1440 * kMinute;
        return axis;
    }
    axis.step = roundStep(least);
    return axis;
}

} // namespace maskscope
