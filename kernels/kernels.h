// SPDX-License-Identifier: GPL-3.0-or-later
// Every operation in kernels/, on one page. Arithmetic is written once, as inline functions for
// host and device (softmax_state.h, bilinear.h, overlay.h); cpu/ loops over it and is the
// definition of correct, gpu/ launches it.
//
// Pointers are to contiguous memory of the launcher's device, sizes are elements, letters are those
// of core/base/shape.h. Sizes are >= 1. Nothing allocates but a few rows of scratch on the host;
// nothing synchronises.
#pragma once

#include <cstdint>
#include <type_traits>

namespace maskscope::kernels {

/// A mask's number of ones and their bounding box. When empty: area 0, and right <= left.
struct MaskExtent {
    std::int64_t area;
    std::int32_t left;
    std::int32_t top;
    std::int32_t right; ///< exclusive
    std::int32_t bottom; ///< exclusive
};

/// How a mask is drawn.
struct OverlayStyle {
    std::uint8_t colour[3]; ///< in the pixels' own channel order
    std::uint8_t opacity; ///< of the area, 0..255
    std::int32_t outline; ///< width in pixels inside the mask, opaque; 0 = none
};

/// Pixels in memory: `channels` bytes each (3 or 4, of which the first three are drawn on), rows
/// `rowBytes` apart.
struct PixelRows {
    std::uint8_t* data;
    std::int64_t rowBytes;
    std::int32_t channels;
};

/// A number in bfloat16: the upper half of a float32.
struct BFloat16 {
    std::uint16_t bits;
};

/// Where the states of T x H queries lie: the D numbers of o of token t and head h one after the
/// other at o[t * oToken + h * oHead], their lse at lse[t * lseToken + h * lseHead].
template <class Number>
struct StateRows {
    Number* o;
    std::conditional_t<std::is_const_v<Number>, const float, float>* lse;
    std::int64_t oToken;
    std::int64_t oHead;
    std::int64_t lseToken;
    std::int64_t lseHead;
};

/// The same without lse.
struct OutputRows {
    BFloat16* o;
    std::int64_t token;
    std::int64_t head;
};

namespace cpu {

/// Merges the states of `from` into those of `into`: softmax attention over two disjoint sets of
/// keys becomes that over their union. See softmax_state.h.
void mergeStates(const StateRows<float>& into, const StateRows<const float>& from,
    std::int64_t tokens, std::int64_t heads, std::int64_t dim);
void mergeStates(const StateRows<float>& into, const StateRows<const BFloat16>& from,
    std::int64_t tokens, std::int64_t heads, std::int64_t dim);

/// The last such merge, whose o is only needed rounded: into `out`, and `state` stays.
void finishStates(const OutputRows& out, const StateRows<const float>& state,
    const StateRows<const BFloat16>& last, std::int64_t tokens, std::int64_t heads,
    std::int64_t dim);

/// The same for (o2, lse2) into (o1, lse1) without gaps.
void mergeStates(float* o1 /*[T, H, D]*/, float* lse1 /*[H, T]*/, const float* o2 /*[T, H, D]*/,
    const float* lse2 /*[H, T]*/, std::int64_t tokens, std::int64_t heads, std::int64_t dim);

/// Bilinear upsampling (align_corners = false) and bits = logit > threshold, with their extent, in
/// one pass that never holds the full-size logits. NaN is outside.
MaskExtent upsampleMask(const float* logits /*[h, w]*/, std::int32_t h, std::int32_t w,
    float threshold, std::uint8_t* bits /*[H, W]*/, std::int32_t height, std::int32_t width);

/// Draws the mask over the pixels in place.
void overlayMask(const std::uint8_t* bits /*[H, W]*/, std::int32_t height, std::int32_t width,
    const OverlayStyle& style, const PixelRows& pixels /*[H, W, 3 or 4]*/);

} // namespace cpu

/// The same operations on a GPU. Only in builds with MASKSCOPE_GPU; `stream` is the vendor's stream
/// handle. They return when the work is queued and throw std::runtime_error if it cannot be.
namespace gpu {

void mergeStates(float* o1 /*[T, H, D]*/, float* lse1 /*[H, T]*/, const float* o2 /*[T, H, D]*/,
    const float* lse2 /*[H, T]*/, std::int64_t tokens, std::int64_t heads, std::int64_t dim,
    void* stream);

void upsampleMask(const float* logits /*[h, w]*/, std::int32_t h, std::int32_t w, float threshold,
    std::uint8_t* bits /*[H, W]*/, std::int32_t height, std::int32_t width,
    MaskExtent* extent /*on the device*/, void* stream);

void overlayMask(const std::uint8_t* bits /*[H, W]*/, std::int32_t height, std::int32_t width,
    const OverlayStyle& style, const PixelRows& pixels /*[H, W, 3 or 4]*/, void* stream);

} // namespace gpu

} // namespace maskscope::kernels
