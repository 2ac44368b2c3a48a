// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison_run.h"

#include <string>
#include <vector>

namespace maskscope {

/// What runs took, as texts for people: a column for each configuration. Titles are data, never
/// markup.
struct FiguresTable {
    struct Row {
        std::string name;
        std::vector<std::string> cells; ///< one a column; "N/A" where a run has no such figure
        bool outstanding = false; ///< the stage in which the first two differ most
        std::string group = {}; ///< what it tells of, "vision": the same of rows one after another
    };
    std::vector<std::string> columns;
    std::vector<Row> rows;
};

FiguresTable figuresOf(const std::vector<ComparedRuns>& compared);

/// Sentences of the runs that failed, "mha: This request needs about …".
std::vector<std::string> failuresOf(const std::vector<ComparedRuns>& compared);

/// "AMD EPYC … with AVX512, 2 threads, device cpu, LibTorch 2.13.0, …; model lens-small; seed 7":
/// one line for all, or one for each, with its title, where they were not under the same.
std::vector<std::string> circumstancesOf(const std::vector<ComparedRuns>& compared);

/// "Request: the cat", likewise; empty where nothing was asked in words.
std::vector<std::string> requestsOf(const std::vector<ComparedRuns>& compared);

/// What is to be said of the results of a picture that the model saw too large, each once.
std::vector<std::string> remarksOf(const std::vector<ComparedRuns>& compared);

} // namespace maskscope
