// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace maskscope {

/// Where the kernel tells about this process and machine; another root only in tests.
struct SystemRoots {
    std::filesystem::path proc = "/proc";
    std::filesystem::path cgroup = "/sys/fs/cgroup";
};

/// Resident set of this process in bytes; absent where the system does not tell.
std::optional<std::int64_t> residentBytes(const SystemRoots& roots = {});

/// The highest resident set since the start or the last resetHighWater(), in bytes (VmHWM).
std::optional<std::int64_t> highWaterBytes(const SystemRoots& roots = {});

/// Makes the high-water mark start again from the present resident set. False where not permitted.
bool resetHighWater(const SystemRoots& roots = {});

/// Processor time that the calling thread has used, in milliseconds.
double threadProcessorMs();

/// What may still be taken before the kernel ends the process.
struct FreeMemory {
    std::int64_t bytes = 0;
    bool byContainer = false; ///< a cgroup's limit is nearer than the machine's
};

/// The least of what the machine and every enclosing container (cgroup v2 or v1) have free, file
/// cache that the kernel gives back counted as free. Absent where the system does not tell.
std::optional<FreeMemory> freeMemory(const SystemRoots& roots = {});

/// The budget when nobody names one: `live` bytes that are held already and 90 % of what is free.
std::optional<std::int64_t> defaultMemoryLimit(std::int64_t live, const SystemRoots& roots = {});

} // namespace maskscope
