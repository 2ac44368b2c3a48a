// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine.h"

#include <QString>
#include <cstdint>
#include <functional>
#include <vector>

namespace maskscope {

/// The most pixels, up to `most`, for which `need` says at most `budget` bytes; 0 where not even
/// the least picture fits. `need` grows with the pixels, but for the rounding of their grid.
std::int64_t mostPixelsWithin(std::int64_t budget, std::int64_t most,
    const std::function<std::int64_t(std::int64_t pixels)>& need);

/// What a run needs on one path, from forecasts of some sizes: between them in a straight line over
/// the patches, beyond the last of them by the law of the last.
class NeedCurve {
public:
    struct Need {
        std::int64_t maskBytes = 0;
        std::int64_t peakBytes = 0;
    };

    /// Takes those of `path`; there may be none.
    NeedCurve(const std::vector<RunForecast>& forecasts, AttentionPath path);

    bool isEmpty() const { return m_forecasts.empty(); }
    Need at(std::int64_t patches) const;

private:
    std::vector<RunForecast> m_forecasts; ///< of different patches, increasing
};

/// Round image sizes from 0.05 to 40 megapixels, in pixels, closer than a slider's step is seen.
const std::vector<std::int64_t>& roundImageSizes();

/// The sides of a picture, of which only the ratio counts.
struct PictureShape {
    std::int64_t width = 3;
    std::int64_t height = 2;
};

/// Patches that the model sees of a picture of that shape at about so many pixels: as many as a run
/// has.
std::int64_t patchesOf(std::int64_t pixels, const PictureShape& shape = {});

/// "0.07 MP", "2.1 MP", "31 MP": never more than `pixels`.
QString megapixelText(std::int64_t pixels);

} // namespace maskscope
