// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/machine.h"

#include "core/memory/process.h"
#include "core/ring/process_group.h"

#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/version.h>

#include <algorithm>
#include <fstream>

namespace maskscope {

namespace {

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            return line.substr(std::min(line.find(':') + 2, line.size()));
    return {};
}

std::vector<AttentionCapability> cpuAttention() {
    const std::vector<Precision> all{Precision::Float32, Precision::BFloat16, Precision::Float16};
    return {
        {AttentionPath::Mha, true, false, true, {}, "a mask, true hides", all, {"cpu"}},
        {AttentionPath::Sdpa, true, false, false, {}, "an additive mask, -inf hides", all, {"cpu"}},
        {AttentionPath::Flash, true, true, false, {}, "packed away", all, {"cpu"}},
        {AttentionPath::Ring, true, true, false, {}, "packed away", all, {"cpu"}},
    };
}

} // namespace

MachineInfo describeMachine() {
    MachineInfo machine;
    machine.torchVersion = TORCH_VERSION;
    machine.processor = processorName();
    machine.capability = at::get_cpu_capability();
    machine.threads = at::get_num_threads();
    if (const auto free = freeMemory())
        machine.memoryFree = free->bytes;
    const std::string reason
        = "this build has no GPU back end; configure it with MASKSCOPE_GPU=CUDA or HIP";
    machine.devices = {{"cpu", true, {}}, {"cuda", false, reason}, {"hip", false, reason}};
    machine.attention = cpuAttention();
    machine.noRingProcesses = ProcessGroup::missing();
    return machine;
}

} // namespace maskscope
