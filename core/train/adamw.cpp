// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/adamw.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <map>

namespace maskscope {

AdamW::AdamW(std::vector<TrainedTensor> tensors, Settings settings)
    : m_tensors(std::move(tensors))
    , m_settings(settings) {
    for (const auto& tensor : m_tensors) {
        m_first.push_back(at::zeros_like(tensor.value).detach());
        m_second.push_back(at::zeros_like(tensor.value).detach());
        m_steps.push_back(at::zeros({}, tensor.value.options().requires_grad(false)));
    }
}

double AdamW::step(double learningRate) {
    const at::NoGradGuard guard;
    std::vector<std::size_t> moved;
    std::vector<at::Tensor> norms;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        const auto& gradient = m_tensors[i].value.grad();
        if (!gradient.defined())
            continue;
        moved.push_back(i);
        norms.push_back(at::linalg_vector_norm(gradient));
    }
    if (moved.empty())
        return 0;
    const double norm = at::linalg_vector_norm(at::stack(norms)).item<double>();

    // One fused call for each pair of rate and decay.
    struct Group {
        std::vector<at::Tensor> values, gradients, first, second, steps;
    };
    std::map<std::pair<double, double>, Group> groups;
    const bool clips = m_settings.clipNorm > 0 && norm > m_settings.clipNorm;
    for (const auto i : moved) {
        auto gradient = m_tensors[i].value.grad();
        if (std::isfinite(norm)) {
            if (clips)
                gradient.mul_(m_settings.clipNorm / (norm + 1e-6));
            auto& group = groups[{m_tensors[i].rateScale, m_tensors[i].weightDecay}];
            group.values.push_back(m_tensors[i].value);
            group.gradients.push_back(gradient);
            group.first.push_back(m_first[i]);
            group.second.push_back(m_second[i]);
            group.steps.push_back(m_steps[i]);
        }
        m_tensors[i].value.mutable_grad().reset();
    }
    for (auto& [settings, group] : groups) {
        for (auto& count : group.steps)
            count.add_(1);
        at::_fused_adamw_(group.values, group.gradients, group.first, group.second, {}, group.steps,
            learningRate * settings.first, m_settings.beta1, m_settings.beta2, settings.second,
            m_settings.epsilon, /*amsgrad=*/false, /*maximize=*/false);
    }
    return norm;
}

std::vector<std::pair<std::string, at::Tensor>> AdamW::state() const {
    std::vector<std::pair<std::string, at::Tensor>> list;
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
        list.emplace_back(m_tensors[i].name + "#first", m_first[i]);
        list.emplace_back(m_tensors[i].name + "#second", m_second[i]);
        list.emplace_back(m_tensors[i].name + "#steps", m_steps[i]);
    }
    return list;
}

} // namespace maskscope
