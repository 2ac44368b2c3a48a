// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ring_worker.h"

#include "app/cli/print_row.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/event_json.h"
#include "core/engine/model_digest.h"
#include "core/history/run_header.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>

namespace maskscope {

namespace {

constexpr std::int64_t kMostImageBytes = std::int64_t(1) << 31;

/// What all ranks have to be started with alike.
std::string agreementOf(const Request& request, const std::vector<std::filesystem::path>& images,
    const std::filesystem::path& model, bool probesLink) {
    RunHeader header = headerOf(request);
    header.settings.threads = 0; // each as its machine has
    header.settings.memoryLimit.reset();
    header.settings.logits = LogitRecord::Off; // what a rank keeps is its own affair
    std::string all = MASKSCOPE_VERSION + lineOf(jsonOf(header));
    for (const auto& image : images)
        all += digestOf(readFile(image, kMostImageBytes));
    all += digestOfModel(model);
    all += probesLink ? "probe" : "";
    return digestOf(std::as_bytes(std::span(all)));
}

} // namespace

RingWorker::RingWorker(CLI::App& command) {
    command
        .add_option("--ulysses", m_ulysses,
            "So many ranks exchange heads, and keys and values go round between such groups; the "
            "same for all ranks")
        ->check(CLI::Range(1, kMostRanks))
        ->type_name("U")
        ->capture_default_str();
    command.add_flag("--probe-link", m_probesLink,
        "First measure latency and bandwidth between the ranks; for all ranks or none");
}

ProcessPlace RingWorker::place() const {
    ProcessPlace place = processPlaceFrom([](const char* name) { return std::getenv(name); });
    place.ulysses = checkedRankGrid(place.worldSize, m_ulysses).ulysses;
    if (m_probesLink && place.worldSize == 1)
        throw Failure(ErrorKind::Usage, "--probe-link has no link to measure: WORLD_SIZE is 1.");
    return place;
}

void RingWorker::spread(Request& request, const ProcessPlace& place) {
    if (request.settings.sampling.temperature > 0 && !request.settings.sampling.seed)
        throw Failure(ErrorKind::Usage,
            "Ranks that draw tokens have to draw the same ones: give all of them one --seed.");
    request.settings.attention = AttentionPath::Ring;
    request.settings.ringDevices.assign(static_cast<std::size_t>(place.worldSize), "cpu");
}

std::optional<LinkProbe> RingWorker::join(Engine& engine, const Request& request,
    const std::vector<std::filesystem::path>& images, const std::filesystem::path& model,
    const ProcessPlace& place) const {
    // Before they meet: each rank then says itself what is wrong.
    engine.checkRanks(checkedRankGrid(place.worldSize, place.ulysses));
    const std::stop_token stop = request.stop.get_token();
    const auto group = std::make_shared<ProcessGroup>(
        place, agreementOf(request, images, model, m_probesLink), ProcessPatience{}, stop);
    engine.join(group);
    return m_probesLink ? std::optional(probeLink(*group, stop)) : std::nullopt;
}

void tellLink(const LinkProbe& probe, bool json) {
    const LinkFigures& link = probe.figures;
    if (!json)
        return printRow("link between the ranks: %.1f us + bytes / %.2f GB/s each way",
            link.latencyUs, link.gigabytesPerSecond);
    nlohmann::ordered_json times = nlohmann::ordered_json::array();
    for (const auto& [bytes, us] : probe.times)
        times.push_back({{"bytes", bytes}, {"us", us}});
    std::cout << lineOf(
        {{"event", "link"}, {"latency_us", link.latencyUs}, {"gb_per_s", link.gigabytesPerSecond},
            {"processor_ns_per_byte", link.processorNsPerByte}, {"times", times}})
              << '\n'
              << std::flush;
}

} // namespace maskscope
