// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/info_command.h"

#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/base/bytes.h"
#include "core/engine/engine.h"
#include "core/engine/event_json.h"
#include "core/engine/machine.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> namesOf(const std::vector<Precision>& precisions) {
    std::vector<std::string> names;
    names.reserve(precisions.size());
    for (const Precision precision : precisions)
        names.emplace_back(nameOf(precision));
    return names;
}

Json jsonOf(const MachineInfo& machine) {
    Json devices = Json::array();
    for (const DeviceInfo& device : machine.devices)
        devices.push_back(
            {{"name", device.name}, {"available", device.available}, {"reason", device.reason}});
    Json paths = Json::array();
    for (const AttentionCapability& path : machine.attention)
        paths.push_back({{"path", nameOf(path.path)}, {"available", path.available},
            {"returns_lse", path.returnsLse}, {"materialises", path.materialises},
            {"padding", path.padding}, {"dtypes", namesOf(path.precisions)},
            {"devices", path.devices}, {"reason", path.reason}});
    return {{"version", MASKSCOPE_VERSION}, {"libtorch", machine.torchVersion},
        {"processor", machine.processor}, {"cpu_capability", machine.capability},
        {"threads", machine.threads},
        {"memory_free", machine.memoryFree ? Json(*machine.memoryFree) : Json(nullptr)},
        {"devices", devices}, {"attention", paths},
        {"ring_over_processes",
            {{"available", machine.noRingProcesses.empty()}, {"reason", machine.noRingProcesses}}}};
}

Json jsonOf(const ModelInfo& model) {
    return {{"family", model.family}, {"name", model.name}, {"parameters", model.parameters},
        {"parameters_by_part", model.parametersByPart}, {"bytes_by_dtype", model.bytesByDtype},
        {"training_pixels", model.trainingPixels}, {"most_pixels", model.mostPixels},
        {"predicted_peak_bytes", model.predictedPeakBytes}, {"known_words", model.knownWords}};
}

void print(const MachineInfo& machine) {
    std::cout << "Maskscope " << MASKSCOPE_VERSION << ", LibTorch " << machine.torchVersion << " ("
              << machine.capability << ")\n"
              << machine.processor << ", " << machine.threads << " threads, "
              << (machine.memoryFree ? bytesText(*machine.memoryFree) : "unknown memory")
              << " free\n\nDevices\n";
    for (const DeviceInfo& device : machine.devices)
        std::cout << "  " << device.name << ": "
                  << (device.available ? "available" : "not available, " + device.reason) << '\n';
    std::cout << "\nAttention of the mask decoder on the CPU\n";
    for (const AttentionCapability& path : machine.attention)
        std::cout << "  " << nameOf(path.path) << ": "
                  << (path.available ? "available" : "not available, " + path.reason)
                  << (path.returnsLse ? "; returns LSE" : "")
                  << (path.materialises ? "; holds every patch x patch matrix in memory" : "")
                  << "; padding: " << path.padding
                  << (path.available ? "; " + joined(namesOf(path.precisions)) + " on "
                                 + joined(path.devices)
                                     : "")
                  << '\n';
    std::cout << "  ring over processes (ring-worker): "
              << (machine.noRingProcesses.empty() ? "available"
                                                  : "not available, " + machine.noRingProcesses)
              << '\n';
}

void print(const ModelInfo& model) {
    std::cout << "\nModel " << oneLine(model.name) << " (" << oneLine(model.family) << "), "
              << model.parameters << " parameters\n";
    for (const auto& [part, count] : model.parametersByPart)
        std::cout << "  " << oneLine(part) << ": " << count << '\n';
    for (const auto& [dtype, bytes] : model.bytesByDtype)
        std::cout << "  in memory as " << dtype << ": " << bytesText(bytes) << '\n';
    std::cout << "  sees " << model.trainingPixels << " pixels by default, " << model.mostPixels
              << " at most\n  predicted peak at the default size: "
              << bytesText(model.predictedPeakBytes) << "\n  knows " << model.knownWords.size()
              << " words:";
    for (const std::string& word : model.knownWords)
        std::cout << ' ' << oneLine(word) << (&word == &model.knownWords.back() ? "" : ",");
    std::cout << '\n';
}

} // namespace

InfoCommand::InfoCommand(CLI::App& app)
    : Command(app, "info", "Devices, attention paths, and what a model is made of",
        "maskscope-cli info --model resources/models/lens-small") {
    options().add_option("--model", m_model, "Model folder to describe")->type_name("DIR");
}

int InfoCommand::run() const {
    const MachineInfo machine = describeMachine();
    std::optional<ModelInfo> model;
    if (!m_model.empty()) {
        EngineOptions options;
        options.model = m_model;
        model = Engine::create(options).value()->info();
    }
    if (json()) {
        Json json = jsonOf(machine);
        if (model)
            json["model"] = jsonOf(*model);
        std::cout << lineOf(json) << '\n';
        return 0;
    }
    print(machine);
    if (model)
        print(*model);
    return 0;
}

} // namespace maskscope
