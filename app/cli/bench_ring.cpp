// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_ring.h"

#include "app/cli/arguments.h"
#include "app/cli/print_row.h"
#include "app/cli/ring_report.h"
#include "app/cli/terminal.h"
#include "core/base/atomic_file.h"
#include "core/base/cancelled.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>

#include <iostream>

namespace maskscope {

namespace {

// Of --grid, where no others are given.
const std::vector<std::int64_t> kGridPatches{512, 1024, 1944, 3952};
const std::vector<int> kGridRanks{2, 4};
const std::vector<double> kGridLinks{1, 5, 20, 57};

template <class Value>
std::vector<Value> orElse(const std::vector<Value>& given, const std::vector<Value>& other) {
    return given.empty() ? other : given;
}

} // namespace

RingBench::RingBench(Command& bench)
    : Command(bench, "ring",
        "Attention over several ranks: the best way to share it, on which link",
        "maskscope-cli bench ring --patches 1944 --ranks 2 --link 5\n"
        "  maskscope-cli bench ring --grid --patches 512,1944 --ranks 2,4 --link 1,57") {
    CLI::App* c = &options();
    c->add_option("--patches", m_patches, "Tokens that attend to each other (default: 7776)")
        ->check(CLI::Range(1, 1 << 20))
        ->delimiter(',')
        ->type_name("P,...");
    c->add_option("--heads", m_plan.shape.heads, "Attention heads")->check(CLI::Range(1, 1024));
    c->add_option("--head-dim", m_plan.shape.headDim, "Numbers of a head")
        ->check(CLI::Range(1, 1024));
    auto* devices = c->add_option("--ring-devices", m_devices, "A device for each rank")
                        ->check(notEmpty())
                        ->type_name("DEVICE,...");
    c->add_option("--ranks", m_ranks, "So many ranks on the CPU (default: 2)")
        ->check(CLI::Range(2, int(kMostRanks)))
        ->delimiter(',')
        ->excludes(devices)
        ->type_name("N,...");
    c->add_option("--ulysses,--strategies", m_plan.ulysses,
         "Ways to share, by how many ranks exchange heads: 1 is a ring, as many as there are ranks "
         "is Ulysses (default: all)")
        ->check(CLI::Range(1, int(kMostRanks)))
        ->delimiter(',')
        ->type_name("U,...");
    c->add_option("--link", m_links, "What each rank can receive, in GB/s (default: no limit)")
        ->check(CLI::Range(0.05, 1e4))
        ->delimiter(',')
        ->type_name("GB/s,...");
    c->add_option("--link-latency", m_latencyUs, "Of each message on such a link, in microseconds")
        ->check(CLI::Range(0.0, 1e6));
    c->add_flag("--grid", m_isGrid,
        "All of --patches, --ranks and --link with each other, and how often the recommendation "
        "wins (default: 512,1024,1944,3952 x 2,4 x 1,5,20,57)");
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16");
    c->add_option("--threads", m_plan.shape.threads, "Threads of each rank")
        ->check(CLI::Range(1, 1024));
    c->add_option("--repeats", m_plan.rounds, "Rounds, each of which measures all in turn")
        ->check(CLI::Range(1, 1000));
    c->add_option("--trace", m_trace,
         "Write when the ranks of the best way to share computed and transferred (two runs), for "
         "chrome://tracing or Perfetto")
        ->check(notEmpty())
        ->type_name("FILE");
    c->add_flag("--force", m_force, "Overwrite an existing trace");
}

RingBench::Grid RingBench::grid() const {
    const bool many = m_isGrid;
    Grid grid;
    grid.patches = orElse(m_patches, many ? kGridPatches : std::vector{m_plan.shape.patches});
    if (!m_devices.empty())
        grid.devices = {ringDevicesFrom(m_devices)};
    else
        for (const int ranks : orElse(m_ranks, many ? kGridRanks : std::vector{2}))
            grid.devices.emplace_back(static_cast<std::size_t>(ranks), "cpu");
    for (const double rate : orElse(m_links, many ? kGridLinks : std::vector{0.0}))
        grid.links.push_back({rate, m_latencyUs});
    if (!many && grid.points() > 1)
        throw Failure(ErrorKind::Usage,
            "Several --patches, --ranks or --link are a grid: say so with --grid, or give one of "
            "each.");
    if (many && !m_trace.empty())
        throw Failure(ErrorKind::Usage, "--trace is of one point: leave out --grid.");
    return grid;
}

void RingBench::measureAll(
    const Grid& grid, RingReport& report, const std::stop_token& stop) const {
    RingCostPlan plan = m_plan;
    plan.shape.precision = precisionArgumentFrom(m_dtype);
    plan.links = grid.links;
    const double rounds = double(grid.patches.size() * grid.devices.size()) * plan.rounds;
    double done = 0;
    std::string trace;
    for (const std::int64_t patches : grid.patches)
        for (const auto& devices : grid.devices) {
            plan.shape.patches = patches;
            plan.shape.devices = devices;
            ProgressBar bar;
            bar.begin("rehearsal", done / rounds);
            const auto costs = measureRing(
                plan, [&](int) { bar.begin("ring", ++done / rounds); }, stop,
                m_trace.empty() ? nullptr : &trace);
            bar.clear();
            for (const RingCost& cost : costs)
                report.tell(plan, cost);
        }
    if (m_trace.empty())
        return;
    AtomicFile file(m_trace);
    file.write(trace);
    file.commit(m_force ? Existing::Replace : Existing::Keep);
    (json() ? std::cerr : std::cout) << "wrote " << oneLine(m_trace) << '\n';
}

int RingBench::run() const {
    const Interrupt interrupt;
    const Grid grid = this->grid();
    if (!m_trace.empty())
        checkCanWrite(m_trace, m_force ? Existing::Replace : Existing::Keep);
    RingReport report(m_isGrid ? RingReport::Kind::Grid : RingReport::Kind::Point, json());
    try {
        measureAll(grid, report, interrupt.stop().get_token());
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    report.end();
    return 0;
}

} // namespace maskscope
