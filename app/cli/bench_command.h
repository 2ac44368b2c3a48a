// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/bench_decode.h"
#include "app/cli/bench_decoder.h"
#include "app/cli/bench_image.h"
#include "app/cli/bench_prefill.h"
#include "app/cli/bench_ring.h"
#include "app/cli/bench_startup.h"
#include "app/cli/bench_telemetry.h"
#include "app/cli/command.h"

#include <vector>

namespace maskscope {

/// `bench PART`: time and memory of one part of the program, measured after warming up, with median
/// and range.
class BenchCommand final : public Command {
public:
    explicit BenchCommand(CLI::App& app);
    int run() const override;

private:
    std::vector<const Command*> parts() const;

    PrefillBench m_prefill;
    DecodeBench m_decode;
    DecoderBench m_decoder;
    ImageBench m_image;
    RingBench m_ring;
    StartupBench m_startup;
    TelemetryBench m_telemetry;
};

} // namespace maskscope
