// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace maskscope {

/// A device that could run a model, or why it cannot.
struct DeviceInfo {
    std::string name; ///< "cpu", "cuda", "hip"
    bool available = false;
    std::string reason; ///< why it is not available
};

/// This build on this machine.
struct MachineInfo {
    std::string torchVersion;
    std::string processor; ///< its model name, or empty
    std::string capability; ///< the vector instructions LibTorch chose, such as "AVX512"
    int threads = 0; ///< LibTorch's default
    std::optional<std::int64_t> memoryFree; ///< bytes that may still be taken here, if known
    std::vector<DeviceInfo> devices;
    std::vector<AttentionCapability> attention; ///< on the CPU
    std::string noRingProcesses; ///< why the ranks of a ring cannot be processes; empty: they can
};

MachineInfo describeMachine();

/// In one line, to stand beside figures: "LibTorch 2.13.0, <processor>, AVX512".
std::string textOf(const MachineInfo& machine);

} // namespace maskscope
