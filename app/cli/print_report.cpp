// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/print_report.h"

#include "app/cli/terminal.h"
#include "core/base/bytes.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>

namespace maskscope {

namespace {

long percent(float score) {
    return std::lround(std::clamp(score, 0.0F, 1.0F) * 100);
}

void printStages(const Report& report, double totalMs) {
    std::cout << std::fixed << std::setprecision(0);
    for (const auto& [stage, bytes] : report.extraPeakBytes) {
        const auto ms = report.ms.find(stage); // a run from a file may lack it
        std::cout << "  " << std::left << std::setw(9) << nameOf(stage) << std::right
                  << std::setw(7) << (ms == report.ms.end() ? 0 : ms->second) << " ms   +"
                  << bytesText(bytes);
        const auto predicted = report.predictedExtraPeakBytes.find(stage);
        if (predicted != report.predictedExtraPeakBytes.end())
            std::cout << " (predicted +" << bytesText(predicted->second) << ')';
        std::cout << '\n';
    }
    std::cout << "  " << std::left << std::setw(9) << "in all" << std::right << std::setw(7)
              << totalMs << " ms";
    if (!report.tokens.empty())
        std::cout << ", first token after " << report.timeToFirstTokenMs << " ms, "
                  << report.tokensPerSecond << " tokens/s";
    std::cout << "; predicted peak +" << bytesText(report.predictedPeakBytes) << '\n';
}

void printMask(const Mask& mask) {
    std::cout << "mask " << mask.index + 1 << ": "
              << (mask.label.empty() ? "" : oneLine(mask.label) + ", ");
    if (mask.area == 0)
        std::cout << "empty, no pixel is above the threshold\n";
    else
        std::cout << mask.area << " px, box " << mask.bbox[0] << ',' << mask.bbox[1] << ' '
                  << mask.bbox[2] << 'x' << mask.bbox[3] << ", score " << percent(mask.score)
                  << " %\n";
}

/// Devices that share the work need more together than one alone: both figures are told.
void printRanks(const std::vector<RankMemory>& ranks) {
    std::int64_t sum = 0;
    std::cout << "  ranks    ";
    for (const RankMemory& rank : ranks) {
        std::cout << ' ' << oneLine(rank.device) << " +" << bytesText(rank.peakBytes) << ',';
        sum += rank.peakBytes;
    }
    std::cout << " together +" << bytesText(sum) << '\n';
}

} // namespace

void printReport(const Report& report, double totalMs) {
    for (const auto& mask : report.masks)
        printMask(*mask);
    for (const auto& mask : report.candidates)
        if (report.candidates.size() > 1)
            std::cout << "  --meaning " << mask->index << ": " << mask->area << " px, score "
                      << percent(mask->score) << " %\n";
    std::cout << "attention " << nameOf(report.attention.used);
    if (!report.attention.reason.empty())
        std::cout << " (" << oneLine(report.attention.reason) << ')';
    std::cout << ", KV cache " << nameOf(report.kvCache) << ", " << nameOf(report.precision)
              << " on " << oneLine(report.device) << ", " << report.patches
              << " patches; time and extra peak of each stage:\n";
    printStages(report, totalMs);
    if (!report.ranks.empty())
        printRanks(report.ranks);
    if (report.outcome == Outcome::Cancelled)
        std::cout << "stopped; what was finished is kept\n";
}

} // namespace maskscope
