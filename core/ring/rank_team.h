// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ring/job_monitor.h"

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace maskscope {

/// How long a rank may give no sign of life before its job ends, and how long the others then have
/// to let go. Together they bound how long a job that cannot go on lasts.
struct RankPatience {
    std::chrono::milliseconds silence{7500};
    std::chrono::milliseconds leaving{2000};
};

/// A thread for each rank, which do one job after the other together.
class RankTeam {
public:
    /// Done by each rank at the same time. It owns whatever it works on (by value, or shared): a
    /// rank that does not come back in time is left to itself, and may still hold it.
    using Work = std::function<void(int rank)>;

    /// `names` are the ranks' devices, for sentences.
    explicit RankTeam(std::vector<std::string> names, RankPatience patience = {});
    ~RankTeam();
    RankTeam(const RankTeam&) = delete;
    RankTeam& operator=(const RankTeam&) = delete;

    int ranks() const { return static_cast<int>(m_names.size()); }
    const std::string& name(int rank) const { return m_names[static_cast<std::size_t>(rank)]; }
    std::shared_ptr<JobMonitor> monitor() const;

    /// Runs one job to its end. Whatever ends it for one rank (an exception, silence, `stop`) ends
    /// it for all, and the first cause is thrown: the exception itself, Failure(Device) that names
    /// the silent rank, Cancelled. A team whose job was ended takes no other: it throws the same.
    void run(Work work, const std::stop_token& stop);

private:
    struct Shared;
    static void serve(const std::shared_ptr<Shared>& shared, int rank);
    void waitForAll();
    void leaveStragglers();
    std::exception_ptr causeOf(int silent, JobMonitor::State state) const;

    std::vector<std::string> m_names;
    RankPatience m_patience;
    std::shared_ptr<Shared> m_shared; ///< also the threads'
    std::vector<std::thread> m_threads; ///< not joinable: left to itself
};

} // namespace maskscope
