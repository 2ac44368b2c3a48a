// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped model's masks by its attention paths: rounding may differ, so a pixel may be on the
// other side of the threshold, but only one whose logit is next to nothing.
#include "core/engine/lens_model.h"
#include "core/engine/mask_finish.h"
#include "core/image/image_reader.h"
#include "core/model/pixels.h"
#include "core/ring/thread_ranks.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace maskscope {
namespace {

const std::filesystem::path kExamples = std::filesystem::path(MASKSCOPE_RESOURCES) / "examples";

/// A sample of resources/examples and what is asked of it: a click into its first object, a box
/// around it, and both.
struct Question {
    explicit Question(const nlohmann::json& entry)
        : image(readImage(kExamples / entry.at("image").get<std::string>())) {
        const Image mask = readImage(kExamples / entry.at("masks").at(0).get<std::string>());
        std::vector<int> inside;
        BoxPrompt box{1, 1, 0, 0};
        const auto share = [](int position, int length) { return position / double(length); };
        for (int y = 0; y < mask.height; ++y)
            for (int x = 0; x < mask.width; ++x) {
                const int place = y * mask.width + x;
                if (mask.rgb[std::size_t(place) * 3] < 128)
                    continue;
                inside.push_back(place);
                box = {std::min(box.x0, share(x, mask.width)),
                    std::min(box.y0, share(y, mask.height)),
                    std::max(box.x1, share(x + 1, mask.width)),
                    std::max(box.y1, share(y + 1, mask.height))};
            }
        const int middle = inside.at(inside.size() / 2);
        const PointPrompt click{(middle % mask.width + 0.5) / mask.width,
            (middle / mask.width + 0.5) / mask.height, PointSign::Positive};
        prompts.resize(3);
        prompts[0].points = prompts[2].points = {click};
        prompts[1].box = prompts[2].box = box;
    }

    Image image;
    std::vector<ObjectPrompt> prompts;
};

/// Logits [N, 1, h, w] of every question, all of them with this path.
at::Tensor logitsOf(const Lens& lens, const VisionFeatures& features,
    const std::vector<ObjectPrompt>& prompts, AttentionPath path, Ring* ring = nullptr) {
    const AttentionRun run{path, {}, ring};
    const ImageFeatures image = lens.describe(features, run);
    const auto maps = promptMaps(prompts, image.gridHeight, image.gridWidth);
    const auto of = at::zeros({maps.count()}, at::kLong);
    return lens.maskFromPrompts(image, maps, of, run).logits;
}

/// Pixels in which two masks differ, and the largest logit among them.
struct Difference {
    int pixels = 0;
    double largest = 0;

    /// Of logits [h, w] in the size of the picture. The mask's own interpolation never holds the
    /// numbers that it compares with the threshold, so they are made again.
    void add(const at::Tensor& logits, const at::Tensor& reference, const Image& image) {
        const Mask mask = maskOfLogits(logits, image.width, image.height);
        const Mask expected = maskOfLogits(reference, image.width, image.height);
        EXPECT_GT(expected.area, 0);
        const auto large = at::upsample_bilinear2d(
            reference.view({1, 1, reference.size(0), reference.size(1)}).to(at::kDouble),
            {image.height, image.width}, false);
        const auto* values = large.const_data_ptr<double>();
        for (std::size_t i = 0; i < mask.bits.size(); ++i)
            if (mask.bits[i] != expected.bits[i]) {
                ++pixels;
                largest = std::max(largest, std::abs(values[i]));
            }
    }
};

} // namespace

TEST(AttentionPaths, DifferOnlyInPixelsNextToTheThreshold) {
    const LensModel model
        = LensModel::load(kExamples.parent_path() / "models/lens-small", Precision::Float32);
    const c10::InferenceMode inference;
    std::ifstream file(kExamples / "index.json");
    ThreadRanks ring({{"cpu", "cpu", "cpu"}, 2, 0, {}});
    Difference all;
    for (const auto& entry : nlohmann::json::parse(file)) {
        const Question question(entry);
        const Image& image = question.image;
        const auto size = modelSize(image.width, image.height, model.info.trainingPixels);
        const auto features = model.lens.encode(modelPixels(image, size));
        const auto sdpa = logitsOf(model.lens, features, question.prompts, AttentionPath::Sdpa);
        const auto mha = logitsOf(model.lens, features, question.prompts, AttentionPath::Mha);
        const auto flash = logitsOf(model.lens, features, question.prompts, AttentionPath::Flash);
        const auto ringed
            = logitsOf(model.lens, features, question.prompts, AttentionPath::Ring, &ring);
        EXPECT_FALSE(ringed.equal(flash)) << "one rank's computation, not that of three";
        EXPECT_FALSE(mha.equal(sdpa)) << "the same computation, not another path";
        for (std::int64_t n = 0; n < sdpa.size(0); ++n) {
            all.add(mha[n][0], sdpa[n][0], image);
            all.add(flash[n][0], sdpa[n][0], image);
            all.add(ringed[n][0], sdpa[n][0], image);
        }
        EXPECT_LT(all.largest, 1e-3) << entry.at("image");
    }
    RecordProperty("differing_pixels", all.pixels);
    RecordProperty("largest_logit", std::to_string(all.largest));
}

} // namespace maskscope
