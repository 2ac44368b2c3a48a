// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// How a child process ended.
struct ChildEnd {
    bool stopped = false; ///< because it was asked for
    std::optional<int> exitCode; ///< absent when a signal ended it
    int signal = 0;
    std::string errors; ///< the last of what it wrote to standard error, at most 4 KiB
};

/// Runs a program to its end and gives each line of its standard output to `onLine`, on the calling
/// thread. A stop kills it at once. It reads nothing, has no signal blocked, and is in a process
/// group of its own, so that Ctrl+C reaches it through the caller only. It ends with its parent,
/// however that ends, and is the first that the system ends when memory runs out.
/// Throws Failure(Input) when it cannot be started.
ChildEnd runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
    const std::function<void(std::string_view)>& onLine, const std::stop_token& stop);

/// Why a child that owed an answer gave none: memory where the system killed it. `what` it was to
/// do begins the sentence.
Error errorOfDeath(const ChildEnd& end, const std::string& what);

/// The program that runs now, to be started again as a child.
std::filesystem::path thisProgram();

} // namespace maskscope
