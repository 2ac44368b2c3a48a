// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ring_verdict.h"

#include "core/base/spread.h"

#include <algorithm>
#include <random>

namespace maskscope {

std::pair<double, double> intervalOfMedian(const std::vector<double>& values) {
    constexpr std::size_t kResamples = 2000;
    std::mt19937 random(1);
    std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
    std::vector<double> medians(kResamples), sample(values.size());
    for (double& found : medians) {
        for (double& value : sample)
            value = values[any(random)];
        found = spreadOf(sample).median;
    }
    std::ranges::sort(medians);
    return {medians[kResamples / 40], medians[kResamples - 1 - kResamples / 40]};
}

RingVerdict verdictOf(
    const std::vector<double>& predicted, const std::vector<std::vector<double>>& measured) {
    const auto leastOf = [](const std::vector<double>& values) {
        return static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
    };
    std::vector<double> medians;
    for (const std::vector<double>& rounds : measured)
        medians.push_back(spreadOf(rounds).median);
    RingVerdict verdict;
    verdict.recommended = leastOf(predicted);
    verdict.quickest = leastOf(medians);
    verdict.ratio = medians[verdict.recommended] / medians[verdict.quickest];
    if (verdict.recommended == verdict.quickest)
        return verdict;
    std::vector<double> ratios;
    for (std::size_t round = 0; round < measured.front().size(); ++round)
        ratios.push_back(measured[verdict.recommended][round] / measured[verdict.quickest][round]);
    verdict.tie = verdict.ratio <= 1 + kTie || intervalOfMedian(ratios).first <= 1;
    return verdict;
}

} // namespace maskscope
