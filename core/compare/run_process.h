// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "core/image/image.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

// A run in a process of its own, so that its peak is its own and its death is survived. The child
// is the same program; it writes the run's header and events, a line each, as they happen.
namespace maskscope {

/// The name of the hidden sub-command by which a program serves one run: its argument is a run's
/// specification, and its output what serveRun() writes.
inline constexpr std::string_view kRunCommand = "serve-run";

/// Starts `program` for one run and gives every event to `onEvent` as it comes, on the calling
/// thread. header.image.path, modelFolder, device, request and settings say what is run; the rest
/// of the returned header is filled by the child. An error, even the death of the child, is the
/// last event of the record. Throws Cancelled when it was stopped, Failure(Input) when it cannot be
/// started.
RunRecord runInChild(const std::filesystem::path& program, const RunHeader& header,
    const EventSink& onEvent, const std::stop_token& stop);

/// The child's side: reads the picture, loads the model, runs, and hands each line to `write`.
/// Never throws.
void serveRun(std::string_view specification,
    const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write);

} // namespace maskscope
