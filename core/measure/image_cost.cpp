// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/image_cost.h"

#include "core/base/cancelled.h"
#include "core/measure/stopwatch.h"
#include "core/memory/prepare.h"
#include "core/model/pixels.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <utility>
#include <vector>

namespace maskscope {

ImageCost measureImage(const std::function<Image()>& decode, std::int64_t pixels, int threads,
    const Repeats& repeats, const std::stop_token& stop) {
    prepareRequest({});
    if (threads > 0)
        at::set_num_threads(threads);
    const c10::InferenceMode inference;
    ImageCost cost;
    std::vector<double> decodes, prepares;
    for (int i = -repeats.warmUps; i < repeats.count; ++i) {
        throwIfStopped(stop);
        const Stopwatch decodeWatch;
        const Image image = decode();
        const double decodeMs = decodeWatch.ms();
        const ModelSize size = modelSize(image.width, image.height, pixels);
        const Stopwatch prepareWatch;
        (void)modelPixels(image, size, stop);
        if (i >= 0) {
            decodes.push_back(decodeMs);
            prepares.push_back(prepareWatch.ms());
        }
        cost.width = image.width;
        cost.height = image.height;
        cost.seenPixels = std::int64_t(size.width) * size.height;
    }
    cost.decodeMs = spreadOf(std::move(decodes));
    cost.prepareMs = spreadOf(std::move(prepares));
    return cost;
}

} // namespace maskscope
