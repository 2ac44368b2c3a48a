// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_startup.h"

#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/compare/run_process.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"
#include "core/measure/stopwatch.h"

#include <CLI/CLI.hpp>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace maskscope {

StartupBench::StartupBench(Command& bench)
    : Command(bench, "startup", "From the start of the program to the first mask",
        "maskscope-cli bench startup --repeats 10")
    , m_timing(options()) {
    CLI::App* c = &options();
    c->add_option("image", m_image, "Picture to look at (default: a shipped one)")
        ->type_name("IMAGE");
    c->add_option("-p,--prompt", m_text, "What to find in it")->type_name("TEXT");
}

RunHeader StartupBench::header() const {
    RunHeader header;
    header.title = "startup";
    header.text = m_text;
    header.modelFolder = std::filesystem::absolute(m_timing.model()).string();
    const auto image = m_image.empty() ? resourcesFolder() / "examples" / "tea_time.png" : m_image;
    header.image.path = std::filesystem::absolute(image).string();
    header.settings.precision = m_timing.precision();
    header.settings.threads = m_timing.threads();
    return header;
}

StartupBench::Times StartupBench::measured(
    const RunHeader& header, const std::stop_token& stop) const {
    const std::filesystem::path program = thisProgram();
    Times times;
    const Stopwatch nothing;
    if (runChild(
            program, {"--version"}, [](std::string_view) {}, stop)
            .stopped)
        throw Cancelled();
    times.program = nothing.ms();
    const Stopwatch watch;
    const RunRecord run = runInChild(
        program, header,
        [&](const Event& event) {
            if (times.ready == 0)
                times.ready = watch.ms();
            if (times.firstMask == 0 && std::holds_alternative<MaskProduced>(event.payload))
                times.firstMask = watch.ms();
        },
        stop);
    if (const Error* error = errorOf(run))
        throw Failure(*error);
    if (times.firstMask == 0)
        throw Failure(ErrorKind::Usage,
            "The request gave no mask to wait for: give another --prompt or picture.");
    return times;
}

int StartupBench::run() const {
    const Interrupt interrupt;
    const RunHeader header = this->header();
    (void)readImage(header.image.path); // one that cannot be read is told before anything is run
    std::array<std::vector<double>, 3> times;
    try {
        const Repeats& repeats = m_timing.repeats();
        for (int i = -repeats.warmUps; i < repeats.count; ++i) {
            const Times once = measured(header, interrupt.stop().get_token());
            if (i < 0)
                continue;
            times[0].push_back(once.program);
            times[1].push_back(once.ready);
            times[2].push_back(once.firstMask);
        }
    } catch (const Cancelled&) {
        return kInterruptedExitCode;
    }
    constexpr std::array<const char*, 3> kNames{"program", "model", "first_mask"};
    auto ratios = nlohmann::ordered_json::array();
    double program = 0;
    if (!json())
        printRow("%-12s %13s  %-22s %10s", "until", "time", "range", "ratio");
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Spread ms = spreadOf(std::move(times[i]));
        if (i == 0)
            program = ms.median;
        const double ratio = ms.median / program;
        ratios.push_back({{"until", kNames[i]}, {"over_program", ratio}});
        if (json())
            std::cout << lineOf({{"event", "startup_cost"}, {"until", kNames[i]},
                {"ms", jsonOf(ms)}, {"over_program", ratio}})
                      << '\n';
        else
            printRow("%-12s %10.1f ms  %-22s %8.2f x", kNames[i], ms.median, rangeText(ms).c_str(),
                ratio);
    }
    if (json())
        std::cout << lineOf({{"event", "summary"}, {"ratios", ratios}}) << '\n';
    return 0;
}

} // namespace maskscope
