// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_story.h"

#include "core/base/bytes.h"

#include <array>
#include <cstdio>
#include <set>
#include <utility>

namespace maskscope {

namespace {

std::string number(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

} // namespace

std::string lawText(const SweepFit& entry, const SweepRecord& record) {
    const Fit& fit = entry.fit;
    const LayerShape& shape = record.plan.point.shape;
    const std::int64_t elementBytes = attentionShapeOf(shape, 1).elementBytes;
    const auto bytes = [](double value) { return bytesText(static_cast<std::int64_t>(value), 2); };
    std::string text(nameOf(entry.path));
    if (fit.degree() == 2) {
        const auto matrix = double(shape.heads * elementBytes);
        const double perSquare = fit.coefficients[2];
        text += " grows with P²: " + number("%.3f", perSquare) + " bytes x P²";
        if (shape.blocks <= 1)
            text += " (" + number("%.2f", perSquare / matrix) + " matrices of "
                + std::to_string(shape.heads) + " heads x P x P x " + std::to_string(elementBytes)
                + " bytes)";
        text += ", ";
    } else {
        text += " grows with P: ";
    }
    text += bytes(fit.slopePer1024()) + " per 1024 patches, " + bytes(fit.coefficients[0])
        + " beside";
    std::set<std::int64_t> sizes;
    for (const SweepPoint& point : record.points)
        if (point.path == entry.path)
            sizes.insert(point.patches);
    if (sizes.size() > fit.coefficients.size())
        return text + "; R² " + number("%.6f", fit.r2);
    return text + "; through its " + std::to_string(sizes.size())
        + " sizes exactly, so that nothing says how well it fits";
}

std::vector<std::string> storyOf(const SweepRecord& record) {
    std::vector<std::string> story;
    const auto largest = [&](LayerPath a, LayerPath b) {
        std::pair<const SweepPoint*, const SweepPoint*> both{nullptr, nullptr};
        for (const SweepPoint& first : record.points)
            for (const SweepPoint& second : record.points)
                if (first.path == a && second.path == b && first.patches == second.patches
                    && (!both.first || first.patches > both.first->patches))
                    both = {&first, &second};
        return both;
    };
    for (const LayerPath heavy : record.plan.paths)
        for (const LayerPath lean : record.plan.paths) {
            if (!materialises(heavy) || materialises(lean))
                continue;
            const auto [first, second] = largest(heavy, lean);
            if (!first || second->figures.extraPeakBytes <= 0)
                continue;
            const double ratio
                = double(first->figures.extraPeakBytes) / double(second->figures.extraPeakBytes);
            story.push_back("At " + std::to_string(first->patches) + " patches "
                + std::string(nameOf(heavy)) + " takes "
                + number(ratio < 10 ? "%.1f" : "%.0f", ratio) + " x as much as "
                + std::string(nameOf(lean)) + ": " + bytesText(first->figures.extraPeakBytes, 2)
                + " against " + bytesText(second->figures.extraPeakBytes, 2) + ".");
        }
    return story;
}

} // namespace maskscope
