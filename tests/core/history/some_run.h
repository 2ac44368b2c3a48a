// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"

#include <memory>
#include <string>

namespace maskscope::test {

inline MemorySample sampleAt(double tMs, std::int64_t live) {
    MemorySample memory;
    memory.tMs = tMs;
    memory.live = live;
    memory.byCategory[std::size_t(MemoryCategory::Other)] = live;
    return memory;
}

/// A short run that finished, on an H200.
inline RunRecord finishedRun(
    const std::string& started = "2026-11-30T09:45:40Z", const std::string& text = "the cat") {
    RunRecord record;
    RunHeader& header = record.header;
    header.title = "mha, <b>";
    header.started = started;
    header.machine = {"NVIDIA H200", "AVX512", "2.13.0", 16};
    header.device = "cuda:0";
    header.modelName = "lens-small";
    header.image = {"/pictures/cat.jpg", 4, 2, "0123456789abcdef"};
    header.text = text;
    header.points = {{1.5, 2.5, PointSign::Negative}};
    header.settings.attention = AttentionPath::Mha;
    auto mask = std::make_shared<Mask>();
    mask->width = 4;
    mask->height = 2;
    mask->bits = {0, 1, 1, 0, 0, 1, 0, 0};
    mask->area = 3;
    mask->bbox = {1, 0, 2, 2};
    mask->label = "cat";
    auto report = std::make_shared<Report>();
    report->answer = "the cat <|mask|>";
    report->tokens = {4, 5};
    report->masks = {mask};
    report->attention = {AttentionPath::Mha, AttentionPath::Mha, ""};
    report->precision = Precision::BFloat16;
    report->device = "cuda:0";
    report->patches = 1944;
    report->extraPeakBytes = {{Stage::Decode, 250}, {Stage::Mask, 200}};
    report->tokensPerSecond = 41.5;
    LogitsProduced logits;
    logits.width = 100;
    logits.digest = "fedcba9876543210";
    record.events = {{1, 0, StageBegan{Stage::Decode}}, {1, 0, MemoryMeasured{sampleAt(0, 100)}},
        {1, 4, logits}, {1, 4, TokenProduced{4, "the", 0, false}},
        {1, 5, MemoryMeasured{sampleAt(5, 350)}}, {1, 6, TokenProduced{5, "<|mask|>", 1, true}},
        {1, 7, MaskProduced{mask}}, {1, 7, MemoryMeasured{sampleAt(7, 120)}},
        {1, 8, StageEnded{Stage::Decode, 8, 250, 120}}, {1, 9, Done{report}}};
    return record;
}

} // namespace maskscope::test
