// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweep_story.h"

#include "core/base/bytes.h"
#include "core/base/change_text.h"
#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace maskscope {

namespace {

/// "128.0 bytes x P², 2 matrices x 16 heads x 4 bytes".
std::string squareText(const Fit& fit, const LayerShape& shape) {
    const std::int64_t elementBytes = attentionShapeOf(shape, 1).elementBytes;
    const double perSquare = fit.coefficients[2];
    std::string text = numberText("%.1f", perSquare) + " bytes x P²";
    const double matrices = perSquare / double(shape.heads * elementBytes);
    if (shape.blocks <= 1 && std::abs(matrices - std::round(matrices)) < 0.02 && matrices > 0.5)
        text += " = " + numberText("%.0f", matrices)
            + (matrices < 1.5 ? " matrix x " : " matrices x ") + std::to_string(shape.heads)
            + " heads x " + std::to_string(elementBytes) + " bytes";
    return text;
}

std::string lawText(const Fit& fit, LayerPath path, const LayerShape& shape) {
    const auto bytes = [](double value) { return bytesText(std::llround(value), 2); };
    const std::string name(nameOf(path));
    const std::string slope = bytes(fit.slopePer1024()) + " per 1,024 patches";
    if (fit.degree() == 2)
        return name + " grows with P²: " + squareText(fit, shape) + ", and " + slope + "; R² "
            + numberText("%.6f", fit.r2);
    return name + " grows with P: " + slope + ", beside " + bytes(fit.coefficients[0]) + "; R² "
        + numberText("%.6f", fit.r2);
}

const Fit* lineOrParabola(const std::vector<SweepFit>& fits, LayerPath path) {
    const Fit* found = nullptr; // the parabola comes last
    for (const SweepFit& entry : fits)
        if (entry.path == path && (!found || materialises(path)))
            found = &entry.fit;
    return found && found->degree() == (materialises(path) ? 2 : 1) ? found : nullptr;
}

} // namespace

std::vector<std::string> lawsOf(const SweepRecord& record) {
    const std::vector<SweepFit> fits = fitsOf(record.points);
    std::vector<std::string> laws;
    for (const LayerPath path : record.plan.paths) {
        const std::string name(nameOf(path));
        const bool measured = std::ranges::any_of(
            record.points, [&](const SweepPoint& point) { return point.path == path; });
        if (const Fit* fit = describingFit(fits, path))
            laws.push_back(lawText(*fit, path, record.plan.point.shape));
        else if (const Fit* poor = lineOrParabola(fits, path))
            laws.push_back(name + " follows no law over these sizes (R² "
                + numberText("%.2f", poor->r2)
                + "): among few patches it works in smaller pieces.");
        else if (measured)
            laws.push_back(name + " has too few sizes for a law: give "
                + (materialises(path) ? "4" : "3") + " or more.");
    }
    return laws;
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
                + std::string(nameOf(heavy)) + " takes " + ratioText(ratio) + " x what "
                + std::string(nameOf(lean))
                + " takes: " + bytesText(first->figures.extraPeakBytes, 2) + " against "
                + bytesText(second->figures.extraPeakBytes, 2) + ".");
        }
    return story;
}

} // namespace maskscope
