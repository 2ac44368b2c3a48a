// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/asked_objects.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/log.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <cstdint>

namespace maskscope {

namespace {

constexpr std::int64_t kWidth = 64;
constexpr double kLeastMatch = 0.01; ///< of an object whose class is not asked for at all

} // namespace

AskedObjects::AskedObjects(Weights& weights, const LensConfig& config)
    : m_ask(weights, "answer.asked.ask", config.language.width, kWidth)
    , m_key(weights, "answer.asked.key", config.language.width, kWidth)
    , m_classes(weights, "answer.asked.classes", config.language.width, config.classCount())
    , m_weigh(weights, "answer.asked.weigh", 3, 1) { }

at::Tensor AskedObjects::operator()(
    const at::Tensor& states, const FoundObjects& found, const at::Tensor& tokens) const {
    const auto asked = m_ask(states).unsqueeze(2); // [R, kWidth, 1]
    const auto product = at::bmm(m_key(tokens), asked).squeeze(2) / std::sqrt(double(kWidth));
    const auto classes = at::sigmoid(m_classes(states)).unsqueeze(2); // [R, K + 2, 1]
    const auto match = at::bmm(found.classes, classes).squeeze(2); // [R, M]
    const auto evidence = at::stack({product, at::log(match + kLeastMatch), found.scores}, 2);
    return m_weigh(evidence).squeeze(2);
}

} // namespace maskscope
