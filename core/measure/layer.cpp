// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/layer.h"

#include "core/base/error.h"
#include "core/ring/ring_devices.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace maskscope {

namespace {

struct PathName {
    LayerPath path;
    std::string_view name;
    std::optional<AttentionPath> attention;
};

constexpr std::array<PathName, 6> kPaths{{
    {LayerPath::Mha, "mha", AttentionPath::Mha},
    {LayerPath::Sdpa, "sdpa", AttentionPath::Sdpa},
    {LayerPath::Flash, "flash", AttentionPath::Flash},
    {LayerPath::Ring, "ring", AttentionPath::Ring},
    {LayerPath::CppModule, "cpp-module", std::nullopt},
    {LayerPath::EncoderLayer, "encoder-layer", std::nullopt},
}};

std::int64_t blocksPeak(const LayerShape& shape, const AttentionShape& attention) {
    const std::int64_t tokens = shape.patches * shape.width * attention.elementBytes;
    const std::int64_t input = shape.blocks > 1 ? tokens : 0; // the first one's is not its own
    return input + blockPeakBytes(attention, *attentionPathOf(shape.path));
}

} // namespace

std::string_view nameOf(LayerPath path) {
    for (const PathName& entry : kPaths)
        if (entry.path == path)
            return entry.name;
    return "";
}

std::optional<LayerPath> layerPathFrom(std::string_view name) {
    for (const PathName& entry : kPaths)
        if (entry.name == name)
            return entry.path;
    return std::nullopt;
}

std::optional<AttentionPath> attentionPathOf(LayerPath path) {
    for (const PathName& entry : kPaths)
        if (entry.path == path)
            return entry.attention;
    return std::nullopt;
}

bool materialises(LayerPath path) {
    return path == LayerPath::Mha || path == LayerPath::CppModule
        || path == LayerPath::EncoderLayer;
}

void checkLayer(const LayerShape& shape) {
    constexpr std::int64_t kMostWidth = 1 << 16;
    if (shape.patches < 1 || shape.patches > kMostLayerPatches)
        throw Failure(ErrorKind::Usage,
            "The number of patches cannot be " + std::to_string(shape.patches)
                + ": give 1 to 1048576.");
    if (shape.heads < 1 || shape.width < 1 || shape.width > kMostWidth
        || shape.width % shape.heads != 0)
        throw Failure(ErrorKind::Usage,
            "A width of " + std::to_string(shape.width) + " cannot be divided into "
                + std::to_string(shape.heads)
                + " heads: give a width that is a multiple of the heads, at most 65536.");
    if (shape.path == LayerPath::Ring)
        checkedRingDevices(shape.ringDevices);
    if (shape.blocks > 0 && !attentionPathOf(shape.path))
        throw Failure(ErrorKind::Usage,
            std::string(nameOf(shape.path))
                + " is measured as one layer only, not as decoder blocks.");
    if (shape.path == LayerPath::CppModule && shape.precision != Precision::Float32)
        throw Failure(ErrorKind::Usage,
            "LibTorch's C++ module takes a padding mask in fp32 only: give --dtype fp32, or leave"
            " cpp-module out.");
}

void checkWatchedLayer(const LayerShape& shape) {
    checkLayer(shape);
    if (shape.path == LayerPath::Ring)
        throw Failure(ErrorKind::Device,
            "The ranks of a ring run on threads that are not watched: give the path flash, which is"
            " what each of them runs.");
}

AttentionShape attentionShapeOf(const LayerShape& shape, int threads) {
    const std::int64_t bytes = shape.precision == Precision::Float32 ? 4 : 2;
    RingRanks ring;
    if (shape.path == LayerPath::Ring)
        ring.grid.ring = static_cast<int>(checkedRingDevices(shape.ringDevices).size());
    return {1, shape.heads, shape.patches, shape.width, bytes, threads, ring};
}

std::int64_t layerPeakBytes(const LayerShape& shape, int threads) {
    const AttentionShape attention = attentionShapeOf(shape, threads);
    const std::int64_t tokens = shape.patches * shape.width * attention.elementBytes;
    if (!attentionPathOf(shape.path)) {
        // Both are the native attention: the one with a norm beside it, the other with scores while
        // queries, keys and values still stand in both orders.
        const std::int64_t native = attentionPeakBytes(attention, AttentionPath::Mha);
        return shape.path == LayerPath::EncoderLayer
            ? native + tokens
            : std::max(native, scoreMatrixBytes(attention) + 5 * tokens + shape.patches);
    }
    if (shape.blocks > 0)
        return blocksPeak(shape, attention);
    return attentionPeakBytes(attention, *attentionPathOf(shape.path));
}

std::string textOf(const LayerShape& shape) {
    return std::string(nameOf(shape.path)) + " over " + std::to_string(shape.patches) + " patches";
}

} // namespace maskscope
