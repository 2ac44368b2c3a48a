// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_devices.h"

#include "core/base/error.h"

#include <algorithm>

namespace maskscope {

namespace {

/// "cuda", "cuda:0", "hip:11".
bool isGpu(std::string_view name) {
    for (const std::string_view vendor : {"cuda", "hip"})
        if (name.starts_with(vendor)) {
            const std::string_view rest = name.substr(vendor.size());
            return rest.empty()
                || (rest.size() > 1 && rest.size() < 4 && rest.front() == ':'
                    && std::all_of(
                        rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; }));
        }
    return false;
}

} // namespace

std::vector<std::string> ringDevicesFrom(std::string_view text) {
    std::vector<std::string> devices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end == begin)
            throw Failure(ErrorKind::Usage,
                "The ring devices \"" + std::string(text)
                    + "\" name an empty one: give them with commas between, such as cpu,cpu.");
        devices.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return devices;
}

std::vector<std::string> checkedRingDevices(const std::vector<std::string>& asked) {
    if (asked.empty())
        return {"cpu", "cpu"};
    if (asked.size() > std::size_t(kMostRanks))
        throw Failure(ErrorKind::Usage,
            "A ring of " + std::to_string(asked.size()) + " ranks is too large: give at most "
                + std::to_string(kMostRanks) + " devices.");
    for (const std::string& device : asked) {
        if (isGpu(device))
            throw Failure(ErrorKind::Device,
                "The ring device " + device
                    + " is not available: this build runs on the CPU, --ring-devices cpu,cpu.");
        if (device != "cpu")
            throw Failure(ErrorKind::Usage,
                "There is no ring device \"" + device
                    + "\": give cpu, or a GPU such as cuda:0, for each rank.");
    }
    return asked;
}

} // namespace maskscope
