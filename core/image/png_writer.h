// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace maskscope {

using Rgb = std::array<std::uint8_t, 3>;

/// Lossless PNG files in memory. Rows from the top, without padding.
std::vector<std::byte> encodeGrayPng(
    int width, int height, std::span<const std::uint8_t> pixels /*[height, width]*/);
std::vector<std::byte> encodeGray16Png(
    int width, int height, std::span<const std::uint16_t> pixels /*[height, width]*/);
std::vector<std::byte> encodeRgbPng(
    int width, int height, std::span<const std::uint8_t> pixels /*[height, width, 3]*/);
/// Every pixel is an index below palette.size() <= 256.
std::vector<std::byte> encodeIndexedPng(int width, int height,
    std::span<const std::uint8_t> pixels /*[height, width]*/, std::span<const Rgb> palette);

} // namespace maskscope
