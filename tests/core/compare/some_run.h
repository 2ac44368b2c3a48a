// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/digest.h"
#include "core/history/run_record.h"
#include "core/mask/mask_geometry.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace maskscope::test {

/// A run with one mask of 4 x 4 pixels over logits of 2 x 2.
struct SomeRun {
    std::string title = "sdpa";
    AttentionPath path = AttentionPath::Sdpa;
    Precision precision = Precision::Float32;
    std::vector<int> tokens{5, 6, 7};
    std::vector<float> logits{4, -4, 4, -4}; ///< the left half
    std::vector<std::uint8_t> bits{1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0};
    std::int64_t peak = 1000;
    double ms = 10;

    RunRecord record(LogitRecord kept = LogitRecord::Values) const {
        RunRecord run;
        run.header.title = title;
        run.header.modelName = "model";
        run.header.machine = {"A processor", "AVX2", "2.13.0", 2};
        run.header.image = {"cat.png", 4, 4, "00"};
        run.header.text = "the <b>cat</b>";
        auto mask = std::make_shared<Mask>();
        mask->width = mask->height = 4;
        mask->bits = bits;
        measure(*mask);
        auto report = std::make_shared<Report>();
        report->tokens = tokens;
        report->answer = "the cat : <|mask|>";
        report->masks = {mask};
        report->attention = {path, path, {}};
        report->precision = precision;
        report->patches = 64;
        report->extraPeakBytes[Stage::Mask] = peak;
        report->ms[Stage::Mask] = ms;
        for (const auto& [ms_, live] : {std::pair{0.0, 100}, {5.0, 100 + int(peak)}, {9.0, 120}}) {
            MemorySample sample;
            sample.tMs = ms_;
            sample.live = live;
            sample.byCategory[std::size_t(MemoryCategory::MaskDecoder)] = live;
            run.events.push_back({1, ms_, MemoryMeasured{sample}});
        }
        if (kept != LogitRecord::Off) {
            LogitsProduced produced{
                LogitsOf::Mask, 0, 2, 2, digestOf(std::as_bytes(std::span(logits))), {}};
            if (kept == LogitRecord::Values)
                produced.values = std::make_shared<const std::vector<float>>(logits);
            run.events.push_back({1, 9, produced});
        }
        run.events.push_back({1, ms, Done{report}});
        return run;
    }
};

inline RunRecord failedRun() {
    RunRecord run = SomeRun{}.record();
    run.header.title = "mha";
    run.events = {{1, 1, Failed{{ErrorKind::Memory, "Too much: 30.75 GiB."}}}};
    return run;
}

} // namespace maskscope::test
