// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/run_builder.h"

#include <algorithm>
#include <utility>

namespace maskscope {

void RunBuilder::add(const Run& run) {
    if (run.from >= run.to)
        return;
    auto& [bbox, edges, rows] = m_runs;
    if (rows.empty()) {
        bbox[0] = run.from;
        bbox[1] = run.y;
    }
    bbox[0] = std::min(bbox[0], run.from);
    m_right = std::max(m_right, run.to);
    const auto row = static_cast<std::size_t>(run.y - bbox[1]);
    while (rows.size() <= row)
        rows.push_back(edges.size());
    if (edges.size() > rows.back() && edges.back() >= run.from) {
        edges.back() = std::max(edges.back(), run.to);
    } else {
        edges.push_back(run.from);
        edges.push_back(run.to);
    }
}

MaskRuns RunBuilder::take() {
    if (!m_runs.rows.empty()) {
        m_runs.bbox[2] = m_right - m_runs.bbox[0];
        m_runs.bbox[3] = static_cast<int>(m_runs.rows.size());
        m_runs.rows.push_back(m_runs.edges.size());
    }
    return std::move(m_runs);
}

MaskRuns maskOfRuns(std::vector<Run> runs) {
    std::sort(runs.begin(), runs.end());
    RunBuilder builder;
    for (const Run& run : runs)
        builder.add(run);
    return builder.take();
}

std::vector<Run> listOf(const MaskRuns& mask) {
    std::vector<Run> runs;
    runs.reserve(mask.edges.size() / 2);
    for (int y = mask.bbox[1]; y < mask.bbox[1] + mask.bbox[3]; ++y) {
        const auto edges = mask.row(y);
        for (std::size_t i = 0; i < edges.size(); i += 2)
            runs.push_back({y, edges[i], edges[i + 1]});
    }
    return runs;
}

} // namespace maskscope
