// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/database.h"
#include "core/history/run_record.h"
#include "core/history/run_summary.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace maskscope {

/// Which of the past runs are listed.
struct RunFilter {
    std::string
        words; ///< in the title, request, image, model, device or processor; any letter case
    std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

/// The history of runs: an SQLite file with one row a run and, beside it, all that happened in the
/// run as linesOf() has it, compressed. A run is in it whole or not at all, and a process that is
/// killed while it writes takes nothing of another's away. One thread at a time; several processes
/// may have the same file open.
/// Throws Failure(Input) that names the file, as Database does, and when the file is of a later
/// program. Such a file, and one that is damaged, is left as it is.
class RunStore {
public:
    /// Opens the file or makes it, with its folders.
    explicit RunStore(const std::filesystem::path& file);

    /// Keeps a run; its number is never given to another.
    std::int64_t add(const RunRecord& record);
    /// Newest first.
    std::vector<RunSummary> list(const RunFilter& filter = {});
    /// Throws Failure(Usage) when there is no such run.
    RunRecord load(std::int64_t id);
    /// All of them or, with Failure(Usage) when one is not there, none.
    void remove(std::span<const std::int64_t> ids);

private:
    void migrate();

    Database m_database;
};

} // namespace maskscope
