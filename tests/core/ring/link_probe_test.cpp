// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ring/link_probe.h"

#include "core/memory/counting_allocator.h"
#include "core/ring/link_rate.h"
#include "core/ring/thread_ranks.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

TEST(LinkProbe, FindsNoLessThanASlowLinkTakes) {
    installCountingAllocator();
    for (const int ranks : {2, 3}) {
        const LinkRate rate{1, 500};
        RingSettings settings;
        settings.devices.assign(static_cast<std::size_t>(ranks), "cpu");
        settings.links.pace = paceOf(std::make_shared<const LinkRate>(rate));
        ThreadRanks ring(settings);
        const LinkProbe probe = probeLink(ring, {});
        ASSERT_GE(probe.times.size(), 2U);
        for (const auto& [bytes, us] : probe.times)
            EXPECT_GE(us, 500 + bytes / 1e3) << bytes;
        EXPECT_GT(probe.figures.gigabytesPerSecond, 0);
        EXPECT_GT(probe.figures.processorNsPerByte, 0) << "processors carry these";
        EXPECT_GE(probe.figures.transferMs(0), 0);
    }
}

} // namespace
} // namespace maskscope
