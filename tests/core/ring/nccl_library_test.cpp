// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/nccl_library.h"

#include "core/base/error.h"

#include <gtest/gtest.h>

#include <vector>

namespace maskscope {
namespace {

Error errorOfLoading(const std::string& file) {
    try {
        NcclLibrary{file};
    } catch (const Failure& failure) {
        return failure.error();
    }
    return {ErrorKind::Internal, "loaded"};
}

TEST(NcclLibrary, IsFoundAtRunTime) {
    const NcclLibrary nccl(FAKE_NCCL);
    EXPECT_EQ(nccl.version(), "2.21.5");
    const std::vector<int> devices{0, 1};
    std::vector<NcclLibrary::Communicator> all(devices.size());
    nccl.check(nccl.initAll(all.data(), 2, devices.data()), "join");
    for (const auto communicator : all) {
        ASSERT_NE(communicator, nullptr);
        nccl.check(nccl.destroy(communicator), "leave");
    }
}

TEST(NcclLibrary, ThatIsNotThereIsTold) {
    const Error error = errorOfLoading("libnccl-nowhere.so.2");
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_EQ(error.sentence.find("GPUs exchange keys and values by libnccl-nowhere.so.2, which "
                                  "cannot be loaded (libnccl-nowhere.so.2: cannot open"),
        0U)
        << error.sentence;
    EXPECT_NE(error.sentence.find("): install NCCL"), std::string::npos) << error.sentence;
}

TEST(NcclLibrary, ThatIsTooOldIsTold) {
    const Error error = errorOfLoading(FAKE_NCCL_OLD);
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_EQ(error.sentence,
        std::string(FAKE_NCCL_OLD)
            + " is version 2.6.4, but GPUs exchange keys and values by 2.7 or a later 2: install "
              "one of these.");
}

TEST(NcclLibrary, ThatLacksACallIsTold) {
    const Error error = errorOfLoading(FAKE_NCCL_SILENT);
    EXPECT_EQ(error.kind, ErrorKind::Device);
    EXPECT_EQ(error.sentence,
        std::string(FAKE_NCCL_SILENT)
            + " has no ncclSend, without which GPUs cannot exchange keys and values: install NCCL "
              "or RCCL 2.7 or later, but not 3.");
}

TEST(NcclLibrary, SaysWhatACallCouldNotDo) {
    const NcclLibrary nccl(FAKE_NCCL);
    EXPECT_NO_THROW(nccl.check(0, "send"));
    try {
        nccl.check(6, "send");
        FAIL() << "passed";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), ErrorKind::Device);
        EXPECT_STREQ(failure.what(),
            "NCCL 2.21.5 could not send (remote process exited): choose --ring-devices cpu,cpu, or "
            "run with NCCL_DEBUG=WARN to see why.");
    }
}

} // namespace
} // namespace maskscope
