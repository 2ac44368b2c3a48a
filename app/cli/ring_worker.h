// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"
#include "core/engine/request.h"
#include "core/ring/link_probe.h"
#include "core/ring/process_group.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace CLI {
class App;
}

namespace maskscope {

/// This process as one rank of a ring over processes: its options, and how it joins the others.
class RingWorker {
public:
    /// Adds them to `command`, which outlives it.
    explicit RingWorker(CLI::App& command);
    RingWorker(const RingWorker&) = delete;
    RingWorker& operator=(const RingWorker&) = delete;

    /// From the environment and --ulysses. Throws Failure(Usage).
    ProcessPlace place() const;
    /// Lets a request run over all ranks. Throws Failure(Usage) where they could not do the same.
    static void spread(Request& request, const ProcessPlace& place);

    /// Waits for the other ranks, which have to be started for the same requests of `images`, and
    /// joins the engine to them. What the link between them does, if that is asked for. Throws
    /// Failure(Usage, Input, Device), Cancelled.
    std::optional<LinkProbe> join(Engine& engine, const Request& request,
        const std::vector<std::filesystem::path>& images, const std::filesystem::path& model,
        const ProcessPlace& place) const;

private:
    int m_ulysses = 1;
    bool m_probesLink = false;
};

/// On standard output, as a line of text or of JSON.
void tellLink(const LinkProbe& probe, bool json);

} // namespace maskscope
