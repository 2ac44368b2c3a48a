// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/packing.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>

namespace maskscope {
namespace {

std::int64_t lengthOf(const std::vector<RequestTokens>& requests) {
    std::int64_t length = 0;
    for (const auto& request : requests)
        length += std::int64_t(request.prompt.size() + request.answer.size());
    return length;
}

/// Where token `i` of the sequence starts to see: the image's tokens are always seen.
void showRows(float* mask, std::int64_t length, std::int64_t imageTokens, std::int64_t begin,
    std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
        float* seen = mask + row * length;
        std::fill(seen, seen + std::min(row + 1, imageTokens), 0.0F);
        std::fill(seen + begin, seen + row + 1, 0.0F);
    }
}

} // namespace

PackedRequests packRequests(std::span<const std::vector<RequestTokens>> requestsOfImage,
    std::int64_t imageTokens, std::int64_t maskToken) {
    const auto batch = std::int64_t(requestsOfImage.size());
    std::int64_t longest = 1;
    for (const auto& requests : requestsOfImage)
        longest = std::max(longest, lengthOf(requests));
    const std::int64_t length = imageTokens + longest;

    PackedRequests packed;
    packed.ids = at::zeros({batch, longest}, at::kLong);
    packed.words = at::zeros({batch, longest}, at::kBool);
    packed.positions = at::arange(length, at::kLong).unsqueeze(0).repeat({batch, 1});
    packed.mask = at::full({batch, 1, length, length}, -std::numeric_limits<float>::infinity());
    std::vector<std::int64_t> promptRows, imageOfPrompt, answerRows, answerTokens, maskRows,
        imageOfMask;

    for (std::int64_t b = 0; b < batch; ++b) {
        auto* ids = packed.ids.mutable_data_ptr<std::int64_t>() + b * longest;
        auto* words = packed.words.mutable_data_ptr<bool>() + b * longest;
        auto* positions = packed.positions.mutable_data_ptr<std::int64_t>() + b * length;
        auto* mask = packed.mask.mutable_data_ptr<float>() + b * length * length;
        showRows(mask, length, imageTokens, 0, imageTokens);
        std::int64_t at = imageTokens;
        for (const auto& request : requestsOfImage[static_cast<std::size_t>(b)]) {
            const std::int64_t begin = at;
            const auto put = [&](std::int64_t token) {
                ids[at - imageTokens] = token;
                positions[at] = imageTokens + at - begin;
                ++at;
            };
            for (const auto token : request.prompt) {
                words[at - imageTokens] = true;
                put(token);
            }
            promptRows.push_back(b * length + at - 1);
            imageOfPrompt.push_back(b);
            for (const auto token : request.answer) {
                answerRows.push_back(b * length + at - 1);
                answerTokens.push_back(token);
                if (token == maskToken) {
                    maskRows.push_back(b * length + at);
                    imageOfMask.push_back(b);
                }
                put(token);
            }
            showRows(mask, length, imageTokens, begin, at);
        }
        for (; at < length; ++at)
            mask[at * length + at] = 0;
    }
    packed.promptRows = at::tensor(promptRows, at::kLong);
    packed.imageOfPrompt = at::tensor(imageOfPrompt, at::kLong);
    packed.answerRows = at::tensor(answerRows, at::kLong);
    packed.answerTokens = at::tensor(answerTokens, at::kLong);
    packed.maskRows = at::tensor(maskRows, at::kLong);
    packed.imageOfMask = at::tensor(imageOfMask, at::kLong);
    return packed;
}

} // namespace maskscope
