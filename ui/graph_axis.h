// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace maskscope {

/// "0 B", "640 KiB", "12.4 MiB", "1.50 GiB": three significant figures, binary units.
QString sizeText(std::int64_t bytes);
/// As above, or "N/A" for a figure that is not available.
QString sizeText(std::optional<std::int64_t> bytes);
/// For the marks of an axis: without decimals that are 0, as in "50 MiB", "1.5 s".
QString byteMarkText(double bytes);
QString timeMarkText(double ms);
/// "7,776": how numbers of patches are written.
QString countText(std::int64_t count);
/// "0 ms", "240 ms", "1.25 s", "2 min 05 s".
QString durationText(double ms);

/// A range of a graph's axis and the marks on it.
struct GraphAxis {
    double lower = 0;
    double upper = 1;
    double step = 1; ///< between marks

    /// Marks from `lower` to `upper`, multiples of `step`.
    std::vector<double> marks() const;
};

/// How much higher than its greatest value an axis of bytes reaches.
inline constexpr double kAxisAir = 1.12;

/// An axis from zero that holds `most` bytes with some air above, whose marks are 1, 2 or 5 times a
/// power of ten in the binary unit of `most` (so 200 MiB, never 190.7 MiB).
GraphAxis bytesAxis(double most, int wantedMarks);
/// An axis over [lower, upper] milliseconds whose marks are round.
GraphAxis timeAxis(double lower, double upper, int wantedMarks);

} // namespace maskscope
