// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/process.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <unistd.h>

namespace maskscope {

namespace {

namespace fs = std::filesystem;

std::optional<std::int64_t> numberIn(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error]
        = std::from_chars(text.data() + first, text.data() + text.size(), value);
    return error == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The number after `key` at the start of a line.
std::optional<std::int64_t> fieldIn(const fs::path& file, std::string_view key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(key))
            return numberIn(std::string_view(line).substr(key.size()));
    return std::nullopt;
}

std::optional<std::int64_t> kibibytesIn(const fs::path& file, std::string_view key) {
    const auto value = fieldIn(file, key);
    return value ? std::optional(*value * 1024) : std::nullopt;
}

/// Names of the same three files in the two versions of the memory controller.
struct Controller {
    const char* limit;
    const char* usage;
    const char* cache; ///< field of memory.stat: file pages that can be dropped
};
constexpr Controller kVersion2{"memory.max", "memory.current", "inactive_file "};
constexpr Controller kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};

std::optional<std::int64_t> freeInGroup(const fs::path& group, const Controller& controller) {
    const auto limit = fieldIn(group / controller.limit, "");
    const auto usage = fieldIn(group / controller.usage, "");
    if (!limit || !usage)
        return std::nullopt;
    const std::int64_t cache = fieldIn(group / "memory.stat", controller.cache).value_or(0);
    return std::max<std::int64_t>(0, *limit - (*usage - std::min(cache, *usage)));
}

/// Least free bytes of the group and its ancestors. Inside a container the path is the host's and
/// need not exist here; the mount itself then is the group.
std::optional<std::int64_t> freeUpwards(
    const fs::path& mount, const std::string& path, const Controller& controller) {
    std::optional<std::int64_t> least;
    const auto consider = [&](const fs::path& group) {
        const auto bytes = freeInGroup(group, controller);
        if (bytes)
            least = std::min(least.value_or(*bytes), *bytes);
    };
    consider(mount);
    fs::path group = mount;
    for (const fs::path& part : fs::path(path).relative_path()) {
        if (part == "..")
            break;
        group /= part;
        consider(group);
    }
    return least;
}

std::optional<std::int64_t> freeInContainers(const SystemRoots& roots) {
    std::optional<std::int64_t> least;
    std::ifstream stream(roots.proc / "self/cgroup");
    for (std::string line; std::getline(stream, line);) { // number:controllers:path
        const auto first = line.find(':');
        const auto second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos)
            continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        std::optional<std::int64_t> bytes;
        if (controllers.empty())
            bytes = freeUpwards(roots.cgroup, path, kVersion2);
        else if (("," + controllers + ",").find(",memory,") != std::string::npos)
            bytes = freeUpwards(roots.cgroup / "memory", path, kVersion1);
        if (bytes)
            least = std::min(least.value_or(*bytes), *bytes);
    }
    return least;
}

} // namespace

std::optional<std::int64_t> residentBytes(const SystemRoots& roots) {
    std::ifstream stream(roots.proc / "self/statm");
    std::int64_t size = 0;
    std::int64_t resident = 0;
    if (!(stream >> size >> resident))
        return std::nullopt;
    return resident * sysconf(_SC_PAGESIZE);
}

std::optional<std::int64_t> highWaterBytes(const SystemRoots& roots) {
    return kibibytesIn(roots.proc / "self/status", "VmHWM:");
}

bool resetHighWater(const SystemRoots& roots) {
    std::ofstream stream(roots.proc / "self/clear_refs");
    stream << "5" << std::flush;
    return stream.good();
}

double threadProcessorMs() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return double(used.tv_sec) * 1e3 + double(used.tv_nsec) / 1e6;
}

std::optional<FreeMemory> freeMemory(const SystemRoots& roots) {
    const auto machine = kibibytesIn(roots.proc / "meminfo", "MemAvailable:");
    const auto container = freeInContainers(roots);
    if (!machine && !container)
        return std::nullopt;
    if (container && (!machine || *container < *machine))
        return FreeMemory{*container, true};
    return FreeMemory{*machine, false};
}

std::optional<std::int64_t> defaultMemoryLimit(std::int64_t live, const SystemRoots& roots) {
    const auto free = freeMemory(roots);
    return free ? std::optional(live + free->bytes / 10 * 9) : std::nullopt;
}

} // namespace maskscope
