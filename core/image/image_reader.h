// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace maskscope {

/// Reads a picture: JPEG, PNG, WebP, GIF, TIFF, BMP, by content and not by name; upright, 8-bit
/// RGB, transparency over white. The one way in: window, model, masks and exports all see its
/// result. May be called on any thread. Throws Failure(Input) with one sentence that names the file
/// and says what is wrong with it, Failure(Memory) when there is none.
Image readImage(const std::filesystem::path& path);

/// The same from memory; `name` is how sentences call it, for example "The pasted picture".
Image decodeImage(std::span<const std::byte> bytes, std::string_view name);

} // namespace maskscope
