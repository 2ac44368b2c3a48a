// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/ring/rank_team.h"
#include "core/ring/thread_ring.h"

#include <chrono>
#include <exception>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace maskscope::test {

#if defined(__SANITIZE_THREAD__)
constexpr int kPasses = 1000;
#else
constexpr int kPasses = 30;
#endif

constexpr RankPatience kShort{std::chrono::milliseconds(300), std::chrono::milliseconds(300)};

/// Ranks that are threads, and whose numbers stand for tensors.
struct FakeRing {
    explicit FakeRing(int ranks, RankPatience patience = {}, const LinkWishes& wishes = {})
        : team(std::vector<std::string>(static_cast<std::size_t>(ranks), "cpu"), patience)
        , ring(std::make_shared<ThreadRing>(team.monitor(), wishes)) { }

    RankTeam team;
    std::shared_ptr<ThreadRing> ring;
};

/// Sleeps now and then.
class Naps {
public:
    explicit Naps(int rank)
        : m_random(static_cast<unsigned>(rank + 1)) { }
    void nap() {
        if (m_random() % 4 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(m_random() % 150));
    }

private:
    std::minstd_rand m_random;
};

inline Error errorIn(const std::exception_ptr& cause) {
    return cause ? errorOf(cause) : Error{ErrorKind::Usage, "nothing ended it"};
}

} // namespace maskscope::test
