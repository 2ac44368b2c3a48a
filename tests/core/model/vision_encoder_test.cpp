// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cancelled.h"
#include "core/model/vision_encoder.h"
#include "tests/stored_tensors.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace maskscope {
namespace {

/// scale * sin(0.37 i + 1.7 k), as in tests/golden/vision_encoder.py.
at::Tensor numbers(at::IntArrayRef shape, double scale, std::size_t k) {
    const auto count = c10::multiply_integers(shape);
    return (at::sin(at::arange(count, at::kDouble) * 0.37 + 1.7 * double(k)) * scale)
        .to(at::kFloat)
        .view(shape);
}

/// The encoder with the formula's weights, which stand in the order in which it takes them.
struct Golden {
    Weights weights = Weights::forTraining({}, Weights::Mismatch::Refuse, 0);
    VisionEncoder encoder{weights};

    Golden() {
        for (std::size_t k = 0; k < weights.all().size(); ++k) {
            const auto& [name, tensor] = weights.all()[k];
            const double fan = tensor.dim() == 4 ? double(tensor[0].numel()) : 0;
            const double scale = fan > 0 ? 2 / std::sqrt(fan) : tensor.dim() == 2 ? 0.2 : 0.5;
            tensor.copy_(numbers(tensor.sizes(), scale, k));
        }
    }

    at::Tensor pixels() const { return numbers({1, 3, 128, 160}, 1, weights.all().size()); }
};

double relativeDifference(const at::Tensor& a, const at::Tensor& b) {
    return test::difference(a, b) / b.abs().max().item<double>();
}

} // namespace

TEST(VisionEncoder, GivesThePublishedCodesFeatures) {
    const Golden golden;
    const test::StoredTensors stored(MASKSCOPE_TEST_DATA "/golden/vision_encoder.safetensors");
    const c10::NoGradGuard inference;
    const auto features = golden.encoder.forward(golden.pixels());
    EXPECT_EQ(features.gridHeight, 8);
    EXPECT_EQ(features.gridWidth, 10);
    EXPECT_LE(relativeDifference(features.stride4, stored["stride4"]), 1e-5);
    EXPECT_LE(relativeDifference(features.stride8, stored["stride8"]), 1e-5);
    EXPECT_LE(relativeDifference(features.stride16, stored["stride16"]), 1e-5);
    const auto eighth = [](const at::Tensor& x) { return x.slice(1, 0, x.size(1), 8); };
    EXPECT_LE(relativeDifference(eighth(features.head), stored["head"]), 1e-4);
    EXPECT_LE(relativeDifference(eighth(features.probabilities), stored["probabilities"]), 1e-4);
    EXPECT_LE(test::difference(features.probabilities.sum({1}), at::ones({1, 8, 10})), 1e-5);
}

TEST(VisionEncoder, GivesTheSameInBandsAsInOnePiece) {
    const Golden golden;
    const c10::NoGradGuard inference;
    const auto pixels = numbers({1, 3, 224, 1024}, 1, 3);
    const auto banded = golden.encoder.forward(pixels);
    for (const auto& [name, tensor] : golden.weights.all())
        tensor.requires_grad_(true);
    const c10::AutoGradMode training(true); // goes through every block in one piece
    const auto whole = golden.encoder.forward(pixels);
    EXPECT_LE(relativeDifference(banded.stride4, whole.stride4.detach()), 1e-6);
    EXPECT_LE(relativeDifference(banded.head, whole.head.detach()), 1e-5);
}

TEST(VisionEncoder, FoldsPixelsAtStride4) {
    const Golden golden;
    const c10::NoGradGuard inference;
    const auto pixels = golden.pixels();
    const auto features = golden.encoder.forward(pixels);
    // Channel 16 c + 4 y + x holds colour c of pixel (4 row + y, 4 column + x).
    EXPECT_EQ(features.pixels[0][16 + 4 * 2 + 3][5][7].item<float>(),
        pixels[0][1][4 * 5 + 2][4 * 7 + 3].item<float>());
}

TEST(VisionEncoder, StopsWhenAsked) {
    const Golden golden;
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(golden.encoder.forward(golden.pixels(), source.get_token()), Cancelled);
}

} // namespace maskscope
