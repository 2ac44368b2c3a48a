// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include <sys/mman.h>

namespace maskscope::test {

/// Makes `bytes` resident for a moment, past malloc, which sanitizers replace.
inline void touchPages(std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    void* const pages = mmap(
        nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (pages != MAP_FAILED) // cannot be: callers see what is missing
        munmap(pages, size);
}

} // namespace maskscope::test
