// SPDX-License-Identifier: GPL-3.0-or-later
// What `info` says of the attention paths, against what they do.
#include "core/base/error.h"
#include "core/engine/machine.h"
#include "core/measure/audit.h"
#include "core/measure/layer_point.h"

#include <gtest/gtest.h>

namespace maskscope {
namespace {

LayerShape shapeOf(const AttentionCapability& capability, Precision precision) {
    return {*layerPathFrom(nameOf(capability.path)), 256, 4, 192, 0, precision};
}

} // namespace

TEST(Capabilities, AreWhatThePathsDo) {
    const auto paths = describeMachine().attention;
    EXPECT_EQ(paths.size(), 4U);
    for (const AttentionCapability& path : paths) {
        if (!path.available) {
            EXPECT_FALSE(path.reason.empty()) << nameOf(path.path);
            EXPECT_THROW(checkLayer(shapeOf(path, Precision::Float32)), Failure);
            continue;
        }
        EXPECT_FALSE(path.precisions.empty()) << nameOf(path.path);
        for (const Precision precision : path.precisions) {
            LayerPoint point;
            point.shape = shapeOf(path, precision);
            point.repeats = 1;
            const LayerFigures figures = measureLayer(point);
            if (path.path == AttentionPath::Ring) {
                // Nobody watches the threads of the ranks.
                EXPECT_THROW(auditLayer(point.shape, std::nullopt), Failure);
                EXPECT_NEAR(double(figures.extraPeakBytes), double(figures.predictedBytes), 1 << 20)
                    << nameOf(precision);
                continue;
            }
            EXPECT_EQ(figures.extraPeakBytes, figures.predictedBytes)
                << nameOf(path.path) << ' ' << nameOf(precision);
            EXPECT_EQ(!auditLayer(point.shape, std::nullopt).empty(), path.materialises)
                << nameOf(path.path) << ' ' << nameOf(precision);
        }
    }
}

} // namespace maskscope
