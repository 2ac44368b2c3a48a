// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/ring_devices.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

using Names = std::vector<std::string>;

Error errorOfList(const std::string& text) {
    try {
        checkedRingDevices(ringDevicesFrom(text));
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {ErrorKind::Internal, "accepted"};
}

TEST(RingDevices, AreReadWithCommasBetween) {
    EXPECT_EQ(ringDevicesFrom("cpu"), (Names{"cpu"}));
    EXPECT_EQ(ringDevicesFrom("cpu,cuda:0,hip:11"), (Names{"cpu", "cuda:0", "hip:11"}));
}

TEST(RingDevices, AreTwoRanksOnTheCpuWhenNoneAreAskedFor) {
    EXPECT_EQ(checkedRingDevices({}), (Names{"cpu", "cpu"}));
    EXPECT_EQ(checkedRingDevices({"cpu"}), (Names{"cpu"}));
    EXPECT_EQ(checkedRingDevices(Names(8, "cpu")).size(), 8U);
}

TEST(RingDevices, ThatThisBuildDoesNotHaveAreRefusedWithASentence) {
    for (const char* text : {"cuda:0,cuda:1", "cpu,hip", "cuda"}) {
        const Error error = errorOfList(text);
        EXPECT_EQ(error.kind, ErrorKind::Device) << text;
    }
    EXPECT_EQ(errorOfList("cuda:0,cuda:1").sentence,
        "The ring device cuda:0 is not available: this build runs on the CPU, --ring-devices "
        "cpu,cpu.");
}

TEST(RingDevices, ThatCannotBeMeantAreRefused) {
    for (const char* text : {"", ",", "cpu,", ",cpu", "cpu,,cpu", "gpu", "CPU", "cuda:", "cuda:x",
             "cuda:1000", "cpu:0", "cpu cpu"})
        EXPECT_EQ(errorOfList(text).kind, ErrorKind::Usage) << text;
    std::string many = "cpu";
    for (int i = 0; i < 64; ++i)
        many += ",cpu";
    EXPECT_EQ(errorOfList(many).kind, ErrorKind::Usage);
}

} // namespace
} // namespace maskscope
