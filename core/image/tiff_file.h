// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tiffio.h>

namespace maskscope {

/// The file as libtiff reads it: bytes in memory with a position.
struct TiffBytes {
    std::span<const std::byte> bytes;
    std::uint64_t position = 0;
    std::string error; ///< the first one
};

using TiffHandle = std::unique_ptr<TIFF, decltype(&TIFFClose)>;

/// Null when there is no readable first page; `file` then has the error, as it has later ones.
/// Nothing is written to stderr. `file` must outlive the handle.
TiffHandle openTiff(TiffBytes& file);

} // namespace maskscope
