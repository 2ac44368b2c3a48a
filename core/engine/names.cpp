// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/named.h"
#include "core/engine/event.h"
#include "core/engine/machine.h"
#include "core/engine/request.h"

namespace maskscope {

namespace {

constexpr NameTable<AttentionPath, 5> kPaths{{
    {AttentionPath::Auto, "auto"},
    {AttentionPath::Mha, "mha"},
    {AttentionPath::Sdpa, "sdpa"},
    {AttentionPath::Flash, "flash"},
    {AttentionPath::Ring, "ring"},
}};

constexpr NameTable<Precision, 4> kPrecisions{{
    {Precision::Auto, "auto"},
    {Precision::Float32, "fp32"},
    {Precision::BFloat16, "bf16"},
    {Precision::Float16, "fp16"},
}};

constexpr NameTable<KvCacheMode, 2> kCacheModes{{
    {KvCacheMode::On, "on"},
    {KvCacheMode::Off, "off"},
}};

constexpr NameTable<MaskPass, 2> kMaskPasses{{
    {MaskPass::Stream, "stream"},
    {MaskPass::Batch, "batch"},
}};

constexpr NameTable<Stage, 6> kStages{{
    {Stage::Load, "load"},
    {Stage::Image, "image"},
    {Stage::Vision, "vision"},
    {Stage::Prefill, "prefill"},
    {Stage::Decode, "decode"},
    {Stage::Mask, "mask"},
}};

} // namespace

std::string_view nameOf(AttentionPath path) {
    return nameIn(kPaths, path);
}

std::optional<AttentionPath> attentionPathFrom(std::string_view name) {
    return valueIn(kPaths, name);
}

std::string_view nameOf(Precision precision) {
    return nameIn(kPrecisions, precision);
}

std::optional<Precision> precisionFrom(std::string_view name) {
    return valueIn(kPrecisions, name);
}

std::string_view nameOf(KvCacheMode mode) {
    return nameIn(kCacheModes, mode);
}

std::optional<KvCacheMode> kvCacheModeFrom(std::string_view name) {
    return valueIn(kCacheModes, name);
}

std::string_view nameOf(MaskPass pass) {
    return nameIn(kMaskPasses, pass);
}

std::optional<MaskPass> maskPassFrom(std::string_view name) {
    return valueIn(kMaskPasses, name);
}

std::string_view nameOf(Stage stage) {
    return nameIn(kStages, stage);
}

std::optional<Stage> stageFrom(std::string_view name) {
    return valueIn(kStages, name);
}

std::string textOf(const MachineInfo& machine) {
    return "LibTorch " + machine.torchVersion + ", "
        + (machine.processor.empty() ? "" : machine.processor + ", ") + machine.capability;
}

} // namespace maskscope
