// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metrics.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace maskscope {

MeanInterval bootstrapMean(
    std::span<const std::vector<double>> valuesByScene, int draws, std::uint64_t seed) {
    std::vector<std::pair<double, double>> scenes; // sum, count
    std::pair<double, double> total{0, 0};
    for (const auto& values : valuesByScene) {
        if (values.empty())
            continue;
        double sum = 0;
        for (const double value : values)
            sum += value;
        scenes.emplace_back(sum, static_cast<double>(values.size()));
        total.first += sum;
        total.second += static_cast<double>(values.size());
    }
    if (scenes.empty())
        return {};

    std::mt19937_64 random(seed);
    std::vector<double> means;
    means.reserve(static_cast<std::size_t>(draws));
    for (int draw = 0; draw < draws; ++draw) {
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            // Modulo instead of a distribution: the same numbers with every standard library.
            const auto& scene = scenes[random() % scenes.size()];
            sum += scene.first;
            count += scene.second;
        }
        means.push_back(sum / count);
    }
    std::sort(means.begin(), means.end());
    const auto quantile = [&](double q) {
        return means[static_cast<std::size_t>(
            std::lround(q * static_cast<double>(means.size() - 1)))];
    };
    return {total.first / total.second, quantile(0.025), quantile(0.975),
        static_cast<std::size_t>(total.second)};
}

} // namespace maskscope
