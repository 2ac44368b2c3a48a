// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

namespace maskscope {

/// A named tensor that is trained, and how.
struct TrainedTensor {
    std::string name;
    at::Tensor value; ///< a leaf with requires_grad
    double rateScale = 1; ///< multiplies the learning rate
    double weightDecay = 0;
};

/// AdamW (Loshchilov and Hutter, 2019) over at::_fused_adamw_, with clipping by the global norm.
/// The moments live beside the tensors and can be saved, so that a resumed run continues bit by
/// bit. Not thread-safe.
class AdamW {
public:
    struct Settings {
        double beta1 = 0.9;
        double beta2 = 0.98;
        double epsilon = 1e-8;
        double clipNorm = 1; ///< of all gradients together; 0 = no clipping
    };

    AdamW(std::vector<TrainedTensor> tensors, Settings settings);

    /// Clips, updates every tensor that has a gradient, and drops the gradients. Returns the norm
    /// before clipping; a norm that is not finite leaves every tensor as it was.
    double step(double learningRate);

    /// (name, tensor) of the moments and step counts, for a checkpoint: "NAME#first",
    /// "NAME#second", "NAME#steps". The tensors are the live ones: copy_ into them to restore.
    std::vector<std::pair<std::string, at::Tensor>> state() const;

    const std::vector<TrainedTensor>& tensors() const { return m_tensors; }

private:
    std::vector<TrainedTensor> m_tensors;
    std::vector<at::Tensor> m_first;
    std::vector<at::Tensor> m_second;
    std::vector<at::Tensor> m_steps;
    Settings m_settings;
};

} // namespace maskscope
