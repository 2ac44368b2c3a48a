// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/ring/process_group.h"
#include "core/ring/ring_devices.h"

#include <charconv>
#include <string_view>

namespace maskscope {

namespace {

class Variables {
public:
    explicit Variables(const std::function<const char*(const char*)>& value)
        : m_value(value) { }

    std::string text(const char* name) const {
        const char* value = m_value(name);
        if (!value || *value == '\0')
            throw Failure(ErrorKind::Usage,
                std::string(name)
                    + " is not set: each rank needs RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT "
                      "in its environment, as torchrun sets them.");
        return value;
    }

    int whole(const char* name, int low, int high) const {
        const std::string given = text(name);
        int number = 0;
        const char* end = given.data() + given.size();
        const auto [rest, error] = std::from_chars(given.data(), end, number);
        if (error != std::errc() || rest != end || number < low || number > high)
            throw Failure(ErrorKind::Usage,
                std::string(name) + " is \"" + given + "\", and has to be a whole number from "
                    + std::to_string(low) + " to " + std::to_string(high) + ".");
        return number;
    }

private:
    const std::function<const char*(const char*)>& m_value;
};

} // namespace

ProcessPlace processPlaceFrom(const std::function<const char*(const char*)>& value) {
    const Variables variables(value);
    ProcessPlace place;
    place.worldSize = variables.whole("WORLD_SIZE", 1, kMostRanks);
    place.rank = variables.whole("RANK", 0, kMostRanks - 1);
    if (place.rank >= place.worldSize)
        throw Failure(ErrorKind::Usage,
            "RANK is " + std::to_string(place.rank) + " and WORLD_SIZE "
                + std::to_string(place.worldSize)
                + ": ranks are counted from 0 to WORLD_SIZE - 1.");
    place.masterAddress = variables.text("MASTER_ADDR");
    place.masterPort = variables.whole("MASTER_PORT", 1, 65535);
    return place;
}

} // namespace maskscope
