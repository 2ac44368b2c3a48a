// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/memory/process.h"

#include "tests/core/memory/touch_pages.h"
#include "tests/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = 1024 * 1024;

/// A made-up /proc and /sys/fs/cgroup.
struct FakeSystem {
    test::TemporaryFolder folder;
    SystemRoots roots{folder.path() / "proc", folder.path() / "cgroup"};

    void write(const fs::path& file, const std::string& text) const {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }
    void machine(std::int64_t availableKiB) const {
        write(roots.proc / "meminfo",
            "MemTotal:       64000000 kB\nMemFree:         1000 kB\nMemAvailable:   "
                + std::to_string(availableKiB) + " kB\n");
    }
};

TEST(ProcessMemory, ResidentBytesGrowWhenPagesAreTouched) {
    const auto before = residentBytes();
    ASSERT_TRUE(before);
    const std::vector<char> touched(64 * kMiB, 'x');
    EXPECT_GE(*residentBytes() - *before, 60 * kMiB) << touched[12345];
}

TEST(ProcessMemory, HighWaterMarkStartsAgain) {
    test::touchPages(64 * kMiB);
    ASSERT_TRUE(highWaterBytes());
    const std::int64_t high = *highWaterBytes();
    ASSERT_TRUE(resetHighWater());
    EXPECT_LE(*highWaterBytes(), high);
    const std::int64_t start = *highWaterBytes();
    test::touchPages(128 * kMiB);
    EXPECT_GE(*highWaterBytes() - start, 120 * kMiB);
}

TEST(ProcessMemory, WhatTheSystemDoesNotTellIsAbsent) {
    const FakeSystem nothing;
    EXPECT_FALSE(residentBytes(nothing.roots));
    EXPECT_FALSE(highWaterBytes(nothing.roots));
    EXPECT_FALSE(resetHighWater(nothing.roots));
    EXPECT_FALSE(freeMemory(nothing.roots));
    EXPECT_FALSE(defaultMemoryLimit(0, nothing.roots));
}

TEST(FreeMemory, OfAMachineWithoutContainers) {
    const FakeSystem system;
    system.machine(8'000'000);
    const auto free = freeMemory(system.roots);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 8'000'000LL * 1024);
    EXPECT_FALSE(free->byContainer);
    EXPECT_EQ(defaultMemoryLimit(1000, system.roots), 1000 + 8'000'000LL * 1024 / 10 * 9);
}

TEST(FreeMemory, TheNearestEnclosingGroupOfVersion2Decides) {
    const FakeSystem system;
    system.machine(8'000'000);
    system.write(system.roots.proc / "self/cgroup", "0::/user/app\n");
    system.write(system.roots.cgroup / "user/memory.max", "2147483648\n");
    system.write(system.roots.cgroup / "user/memory.current", "1073741824\n");
    system.write(system.roots.cgroup / "user/memory.stat",
        "anon 1\nactive_file 500\ninactive_file 268435456\n");
    system.write(system.roots.cgroup / "user/app/memory.max", "max\n");
    system.write(system.roots.cgroup / "user/app/memory.current", "1000\n");
    const auto free = freeMemory(system.roots);
    ASSERT_TRUE(free);
    EXPECT_EQ(free->bytes, 1280 * kMiB);
    EXPECT_TRUE(free->byContainer);
}

TEST(FreeMemory, InsideAContainerTheMountIsTheGroup) {
    const FakeSystem system;
    system.machine(8'000'000);
    system.write(system.roots.proc / "self/cgroup", "0::/../../host/docker/abc\n");
    system.write(system.roots.cgroup / "memory.max", "1073741824\n");
    system.write(system.roots.cgroup / "memory.current", "73741824\n");
    EXPECT_EQ(freeMemory(system.roots)->bytes, 1'000'000'000);
}

TEST(FreeMemory, OfVersion1BesideAnEmptyVersion2) {
    const FakeSystem system;
    system.machine(8'000'000);
    system.write(
        system.roots.proc / "self/cgroup", "12:cpu,cpuacct:/job\n4:hugetlb,memory:/job\n0::/\n");
    system.write(system.roots.cgroup / "memory/memory.limit_in_bytes", "9223372036854771712\n");
    system.write(system.roots.cgroup / "memory/memory.usage_in_bytes", "5000000\n");
    system.write(system.roots.cgroup / "memory/job/memory.limit_in_bytes", "536870912\n");
    system.write(system.roots.cgroup / "memory/job/memory.usage_in_bytes", "300000000\n");
    system.write(system.roots.cgroup / "memory/job/memory.stat", "total_inactive_file 100000000\n");
    EXPECT_EQ(freeMemory(system.roots)->bytes, 336'870'912);
}

TEST(FreeMemory, AFullContainerHasNothing) {
    const FakeSystem system;
    system.machine(8'000'000);
    system.write(system.roots.proc / "self/cgroup", "0::/\n");
    system.write(system.roots.cgroup / "memory.max", "1000\n");
    system.write(system.roots.cgroup / "memory.current", "2000\n");
    EXPECT_EQ(freeMemory(system.roots)->bytes, 0);
}

TEST(FreeMemory, NonsenseIsNoContainer) {
    const FakeSystem system;
    system.machine(1000);
    system.write(system.roots.proc / "self/cgroup", "no colons\n:\n\n0::/x\n");
    system.write(system.roots.cgroup / "x/memory.max", "many\n");
    system.write(system.roots.cgroup / "x/memory.current", "");
    EXPECT_EQ(freeMemory(system.roots)->bytes, 1000 * 1024);
}

TEST(FreeMemory, OfThisMachine) {
    ASSERT_TRUE(freeMemory());
    EXPECT_GT(freeMemory()->bytes, kMiB);
}

} // namespace
} // namespace maskscope
