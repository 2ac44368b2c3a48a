// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/run_process.h"

#include "core/base/cancelled.h"
#include "core/base/child_process.h"
#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/engine/engine.h"
#include "core/engine/event_json.h"
#include "core/engine/event_reader.h"
#include "core/engine/machine.h"

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

constexpr std::string_view kHeaderLine = "{\"event\":\"run\"";

bool ended(const RunRecord& record) {
    return !record.events.empty()
        && (std::holds_alternative<Done>(record.events.back().payload)
            || std::holds_alternative<Failed>(record.events.back().payload));
}

/// What of a header only the process that runs knows.
void complete(RunHeader& header, const Engine& engine, const Image& image) {
    const MachineInfo machine = describeMachine();
    header.started = utcNow();
    header.programVersion = MASKSCOPE_VERSION;
    header.machine = {machine.processor, machine.capability, machine.torchVersion,
        header.settings.threads > 0 ? header.settings.threads : at::get_num_threads()};
    header.modelName = engine.info().name;
    header.modelDigest = engine.info().digest;
    header.trainingPixels = engine.info().trainingPixels;
    header.image.width = image.width;
    header.image.height = image.height;
    header.image.digest = digestOf(image);
}

void serve(const nlohmann::json& specification,
    const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write) {
    RunHeader header = runHeaderFrom(specification, "The specification of a run");
    const EventSink tell = [&](const Event& event) {
        if (const auto json = jsonOf(event, 0); !json.is_null())
            write(lineOf(json));
    };
    const RunSettings& settings = header.settings;
    const EngineOptions options{header.modelFolder, header.device, settings.precision,
        settings.threads, settings.memoryLimit};
    Request request = requestOf(header);
    const auto image = std::make_shared<const Image>(readImage(header.image.path));
    request.images = {image};
    const auto engine = Engine::create(options, {}).value();
    complete(header, *engine, *image);
    write(lineOf(jsonOf(header)));
    (void)engine->run(request, tell); // its error is the last event
}

} // namespace

RunRecord runInChild(const std::filesystem::path& program, const RunHeader& header,
    const EventSink& onEvent, const std::stop_token& stop) {
    RunRecord record{header, {}};
    EventReader reader("The output of the run " + header.title);
    const auto keep = [&](Event event) {
        if (onEvent)
            onEvent(event);
        record.events.push_back(std::move(event));
    };
    const auto onLine = [&](std::string_view line) {
        if (line.starts_with(kHeaderLine))
            record.header = runHeaderFrom(
                parseStrictJson(line, "The header of a run"), "The header of a run");
        else if (auto event = reader.read(line))
            keep(std::move(*event));
    };
    const ChildEnd end
        = runChild(program, {std::string(kRunCommand), lineOf(jsonOf(header))}, onLine, stop);
    if (end.stopped)
        throw Cancelled();
    if (!ended(record)) {
        const double last = record.events.empty() ? 0 : record.events.back().tMs;
        keep({0, last, Failed{errorOfDeath(end, "The run " + header.title)}});
    }
    return record;
}

void serveRun(std::string_view specification,
    const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write) {
    try {
        serve(nlohmann::json::parse(specification), readImage, write);
    } catch (...) {
        const Failed failed{errorOf(std::current_exception())};
        write(lineOf(jsonOf(Event{0, 0, failed}, 0)));
    }
}

} // namespace maskscope
