// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_header.h"
#include "core/image/image.h"
#include "core/measure/anatomy.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

// An anatomy taken in a process of its own, where no other thread allocates. The child is the same
// program; it writes a line for each stage that begins, and at last the anatomy.
namespace maskscope {

/// The name of the hidden sub-command by which a program takes one anatomy.
inline constexpr std::string_view kAnatomyCommand = "take-anatomy";

struct LayerAnatomyQuestion {
    LayerShape shape;
    int threads = 0; ///< 0 = as the machine has
};

/// The run is done again, as its header says.
struct RunAnatomyQuestion {
    RunHeader run;
    AnatomyMoment moment;
};

using AnatomyQuestion = std::variant<LayerAnatomyQuestion, RunAnatomyQuestion>;

/// How an anatomy is taken: anatomyInChild(), bound to a program.
using TakeAnatomy = std::function<Anatomy(const AnatomyQuestion& question,
    const std::function<void(Stage)>& onStage, const std::stop_token& stop)>;

/// Starts `program` and waits; `onStage` is called on this thread. Throws what layerAnatomy() and
/// requestAnatomyAt() throw there, Failure(Memory) when the system killed the process, Cancelled
/// when it was stopped.
Anatomy anatomyInChild(const std::filesystem::path& program, const AnatomyQuestion& question,
    const std::function<void(Stage)>& onStage, const std::stop_token& stop);

/// The child's side; never throws.
void serveAnatomy(std::string_view specification,
    const std::function<Image(const std::filesystem::path&)>& readImage,
    const std::function<void(const std::string&)>& write);

} // namespace maskscope
