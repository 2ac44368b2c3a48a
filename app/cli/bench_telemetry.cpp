// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_telemetry.h"

#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/engine/engine.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace maskscope {

TelemetryBench::TelemetryBench(Command& bench)
    : Command(bench, "telemetry", "The share of a run that its memory sampler and its events take",
        "maskscope-cli bench telemetry --repeats 10")
    , m_timing(options()) {
    CLI::App* c = &options();
    c->add_option("image", m_image, "Picture to look at (default: a shipped one)")
        ->type_name("IMAGE");
    c->add_option("-p,--prompt", m_text, "What to find in it")->type_name("TEXT");
}

int TelemetryBench::run() const {
    const Interrupt interrupt;
    const auto file = m_image.empty() ? resourcesFolder() / "examples" / "tea_time.png" : m_image;
    const Image image = readImage(file);
    EngineOptions options;
    options.model = m_timing.model();
    options.precision = m_timing.precision();
    options.threads = m_timing.threads();
    const auto engine = Engine::create(options).value();
    Request request;
    request.text = m_text;
    request.settings.precision = options.precision;
    request.settings.threads = options.threads;
    request.stop = interrupt.stop();
    std::size_t bytes = 0;
    // As segment --json tells them, but for the last step onto the terminal or into a file.
    const auto sink = [&](const Event& event) {
        if (const auto line = maskscope::jsonOf(event, 0); !line.is_null())
            bytes += lineOf(line).size();
    };
    std::vector<double> shares;
    if (!json())
        printRow("%12s %12s %12s %10s", "run", "sampler", "events", "share");
    const Repeats& repeats = m_timing.repeats();
    for (int i = -repeats.warmUps; i < repeats.count; ++i) {
        request.images = {std::make_shared<const Image>(image)}; // new to the engine
        const auto report = engine->run(request, sink).value();
        if (report->outcome == Outcome::Cancelled)
            return kInterruptedExitCode;
        if (i < 0)
            continue;
        const TelemetryCost& cost = engine->telemetry();
        shares.push_back(cost.share());
        if (json())
            std::cout << lineOf({{"event", "telemetry_cost"}, {"run_ms", cost.runMs},
                {"sampler_ms", cost.samplerMs}, {"sink_ms", cost.sinkMs}, {"share", cost.share()}})
                      << '\n'
                      << std::flush;
        else
            printRow("%9.2f ms %9.3f ms %9.3f ms %8.3f %%", cost.runMs, cost.samplerMs, cost.sinkMs,
                cost.share() * 100);
    }
    const Spread share = spreadOf(std::move(shares));
    if (json())
        std::cout << lineOf({{"event", "summary"}, {"share", jsonOf(share)}}) << '\n';
    else
        printRow(
            "\nsampler and events take %.3f %% of the run (%.3f to %.3f), processor time over the "
            "time on the clock",
            share.median * 100, share.low * 100, share.high * 100);
    return 0;
}

} // namespace maskscope
