// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/request_options.h"

#include "app/attention_default.h"
#include "app/cli/arguments.h"
#include "app/resources_folder.h"
#include "core/base/error.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>
#include <limits>
#include <utility>

namespace maskscope {

RequestOptions::RequestOptions(CLI::App& command, std::string name)
    : m_name(std::move(name))
    , m_memory(command) {
    addQuestion(command);
    addSettings(command);
}

void RequestOptions::addQuestion(CLI::App& command) {
    m_prompt
        = command.add_option("-p,--prompt", m_text, "What to find, in words")->type_name("TEXT");
    command.add_option("--model", m_model, "Model folder (default: the shipped one)")
        ->check(notEmpty())
        ->type_name("DIR");
    command.add_option("--point", m_points, "A click X,Y or X,Y,- in pixels; all are one object")
        ->allow_extra_args(false)
        ->type_name("X,Y[,+|-]");
    command.add_option("--box", m_boxes, "A box; several are several objects")
        ->allow_extra_args(false)
        ->type_name("X0,Y0,X1,Y1");
    command
        .add_option("--meaning", m_meaning,
            "Which of the things that the first point may mean; 0 is the likeliest")
        ->type_name("N");
}

void RequestOptions::addSettings(CLI::App& command) {
    command
        .add_option("--attention", m_attention, "Mask decoder's path: auto, mha, sdpa, flash, ring")
        ->check(notEmpty())
        ->type_name("PATH");
    command
        .add_option("--ring-devices", m_ringDevices,
            "A device for each rank of --attention ring (default: cpu,cpu)")
        ->check(notEmpty())
        ->type_name("DEVICE,...");
    command.add_option("--kv-cache", m_kvCache, "on or off")->check(CLI::IsMember({"on", "off"}));
    command
        .add_option("--mask-pass", m_maskPass, "stream: each mask at once; batch: after the text")
        ->check(CLI::IsMember({"stream", "batch"}));
    command.add_option("--device", m_device, "cpu, cuda:0 or hip:0");
    command.add_option("--dtype", m_dtype, "auto, fp32 or bf16; fp16 not on a CPU");
    command
        .add_option("--pixels", m_pixels,
            "Pixels of the size the model sees: 0.5M, or native for the image's own")
        ->check(notEmpty())
        ->type_name("N");
    command.add_option("--max-new-tokens", m_maxNewTokens, "Longest answer")
        ->check(CLI::Range(1, 100000));
    command.add_option("--temperature", m_temperature, "0 is greedy");
    command.add_option("--top-k", m_topK, "0 is off");
    command.add_option("--top-p", m_topP, "1 is off");
    command.add_option("--seed", m_seed, "Seed of the sampling")
        ->check(wholeNumber(0, std::numeric_limits<std::uint64_t>::max()));
    command
        .add_option(
            "--threads", m_threads, "Threads of the computation (default: as the machine has)")
        ->check(CLI::Range(1, 1024));
}

EngineOptions RequestOptions::engine() const {
    EngineOptions options;
    options.model = m_model.empty() ? shippedModel() : std::filesystem::path(m_model);
    options.device = m_device;
    options.precision = precisionArgumentFrom(m_dtype);
    options.threads = m_threads;
    options.memoryLimit = m_memory.limit();
    return options;
}

Request RequestOptions::request() const {
    Request request;
    request.text = m_text;
    for (const std::string& point : m_points)
        request.points.push_back(pointFrom(point));
    request.meaning = m_meaning;
    for (const std::string& box : m_boxes)
        request.boxes.push_back(boxFrom(box));
    if (m_prompt->count() == 0 && m_points.empty() && m_boxes.empty())
        throw Failure(ErrorKind::Usage,
            m_name + " has nothing to look for: give -p TEXT, --point X,Y or --box X0,Y0,X1,Y1.");
    RunSettings& settings = request.settings;
    settings.attention = attentionFrom(m_attention.empty() ? defaultAttention() : m_attention);
    if (!m_ringDevices.empty())
        settings.ringDevices = checkedRingDevices(ringDevicesFrom(m_ringDevices));
    settings.kvCache = *kvCacheModeFrom(m_kvCache);
    settings.maskPass = *maskPassFrom(m_maskPass);
    settings.precision = precisionArgumentFrom(m_dtype);
    settings.preflight = m_memory.preflight();
    settings.sampling = {m_temperature, m_topK, m_topP, m_seed};
    settings.pixels = m_pixels.empty() ? 0 : pixelCountFrom(m_pixels);
    settings.maxNewTokens = m_maxNewTokens;
    settings.threads = m_threads;
    settings.memoryLimit = m_memory.limit();
    return request;
}

} // namespace maskscope
