// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/object_targets.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_sigmoid.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace maskscope {
namespace {

constexpr int kPlace = Scene::kPatch / 2; ///< pixels on a side of a place of the centres
constexpr double kLeastCover = 0.25; ///< of a patch that votes
constexpr double kSameBox = 0.3; ///< IoU of a found object with the scene's

/// Raises `map` to a bump around the middle of a box; exactly 1 at the nearest place.
void drawCentre(float* map, int height, int width, const std::array<int, 4>& box) {
    const int x = std::min((2 * box[0] + box[2]) / (2 * kPlace), width - 1);
    const int y = std::min((2 * box[1] + box[3]) / (2 * kPlace), height - 1);
    const double side = std::sqrt(double(box[2]) * box[3]) / kPlace;
    const double spread = std::clamp(0.12 * side, 0.6, 2.0);
    const int reach = int(std::ceil(3 * spread));
    for (int row = std::max(0, y - reach); row <= std::min(height - 1, y + reach); ++row)
        for (int column = std::max(0, x - reach); column <= std::min(width - 1, x + reach);
             ++column) {
            const double away = (row - y) * (row - y) + (column - x) * (column - x);
            float& value = map[row * width + column];
            value = std::max(value, float(std::exp(-away / (2 * spread * spread))));
        }
}

/// The object that covers most of a patch, −1 when none covers enough.
int ownerOf(const Scene& scene, int top, int left) {
    int best = -1;
    int most = int(kLeastCover * Scene::kPatch * Scene::kPatch);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const auto& object = scene.objects[i];
        const auto& box = object.bbox;
        if (left + Scene::kPatch <= box[0] || left >= box[0] + box[2]
            || top + Scene::kPatch <= box[1] || top >= box[1] + box[3])
            continue;
        int cover = 0;
        for (int y = top; y < top + Scene::kPatch; ++y) {
            const auto* row = object.mask.data() + std::size_t(y) * std::size_t(scene.image.width);
            cover += int(std::count(row + left, row + left + Scene::kPatch, std::uint8_t(1)));
        }
        if (cover >= most) {
            most = cover;
            best = int(i);
        }
    }
    return best;
}

double overlap(const std::array<int, 4>& box, double cx, double cy, double width, double height) {
    const auto along = [](double low, double length, double centre, double other) {
        return std::max(
            0.0, std::min(low + length, centre + other / 2) - std::max(low, centre - other / 2));
    };
    const double shared = along(box[0], box[2], cx, width) * along(box[1], box[3], cy, height);
    return shared / (double(box[2]) * box[3] + width * height - shared);
}

} // namespace

ObjectTargets objectTargets(std::span<const Example> examples) {
    const auto& first = examples.front().scene;
    const int gh = first.patchRows(), gw = first.patchColumns();
    const auto B = std::int64_t(examples.size()), P = std::int64_t(gh) * gw;
    ObjectTargets targets{at::zeros({B, std::int64_t(2) * gh, std::int64_t(2) * gw}),
        at::zeros({B, P, 2}), at::zeros({B, P, 2}), at::zeros({B, P}), 0};
    auto* centres = targets.centres.mutable_data_ptr<float>();
    auto* vote = targets.votes.mutable_data_ptr<float>();
    auto* size = targets.sizes.mutable_data_ptr<float>();
    auto* weight = targets.weights.mutable_data_ptr<float>();
    for (const auto& example : examples) {
        const auto& scene = example.scene;
        targets.count += double(scene.objects.size());
        for (const auto& object : scene.objects)
            drawCentre(centres, 2 * gh, 2 * gw, object.bbox);
        centres += 4 * P;
        for (int patch = 0; patch < P; ++patch, vote += 2, size += 2, ++weight) {
            const int left = patch % gw * Scene::kPatch, top = patch / gw * Scene::kPatch;
            const int owner = ownerOf(scene, top, left);
            if (owner < 0)
                continue;
            const auto& box = scene.objects[std::size_t(owner)].bbox;
            constexpr float kUnit = Scene::kPatch, kMiddle = kUnit / 2;
            *weight = 1;
            vote[0] = (float(box[0]) + float(box[2]) / 2 - float(left) - kMiddle) / kUnit;
            vote[1] = (float(box[1]) + float(box[3]) / 2 - float(top) - kMiddle) / kUnit;
            size[0] = std::log(float(box[2]) / kUnit);
            size[1] = std::log(float(box[3]) / kUnit);
        }
    }
    return targets;
}

at::Tensor centreLoss(const ObjectMaps& maps, const ObjectTargets& targets) {
    const auto& t = targets.centres;
    const auto p = at::sigmoid(maps.centres);
    const auto centre = t.eq(1).to(at::kFloat);
    const auto hits = (1 - p).square() * at::log_sigmoid(maps.centres) * centre;
    const auto rest = (1 - t).square().square() * p.square() * at::log_sigmoid(-maps.centres);
    return -(hits + rest * (1 - centre)).sum() / std::max(1.0, targets.count);
}

at::Tensor placeLoss(const ObjectMaps& maps, const ObjectTargets& targets) {
    const auto votes = (maps.votes - targets.votes).abs().sum(-1);
    const auto sizes = (maps.sizes - targets.sizes).abs().sum(-1);
    return ((votes + sizes) * targets.weights).sum() / targets.weights.sum().clamp_min(1);
}

std::vector<std::vector<int>> matchObjects(
    const FoundObjects& found, std::span<const Example> examples) {
    const auto scores = found.scores.detach().to(at::kFloat).cpu();
    const auto boxes = found.boxes.detach().to(at::kFloat).cpu();
    const auto score = scores.accessor<float, 2>();
    const auto box = boxes.accessor<float, 3>();
    std::vector<std::vector<int>> matched;
    for (std::size_t b = 0; b < examples.size(); ++b) {
        const auto& scene = examples[b].scene;
        const auto at = std::int64_t(b);
        std::vector<std::tuple<double, int, int>> pairs; // overlap, found, object
        for (int i = 0; i < int(score.size(1)); ++i)
            for (int j = 0; score[at][i] > 0 && j < int(scene.objects.size()); ++j) {
                const auto width = double(scene.image.width), height = double(scene.image.height);
                const double shared
                    = overlap(scene.objects[std::size_t(j)].bbox, box[at][i][0] * width,
                        box[at][i][1] * height, box[at][i][2] * width, box[at][i][3] * height);
                if (shared > kSameBox)
                    pairs.emplace_back(shared, i, j);
            }
        std::ranges::sort(pairs, std::greater{});
        std::vector<int> of(std::size_t(score.size(1)), -1);
        std::vector<bool> taken(scene.objects.size(), false);
        for (const auto& [shared, i, j] : pairs)
            if (of[std::size_t(i)] < 0 && !taken[std::size_t(j)]) {
                of[std::size_t(i)] = j;
                taken[std::size_t(j)] = true;
            }
        matched.push_back(std::move(of));
    }
    return matched;
}

} // namespace maskscope
