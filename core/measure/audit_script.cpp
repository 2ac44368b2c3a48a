// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/measure/audit.h"
#include "core/measure/layer_run.h"
#include "core/measure/op_observer.h"
#include "core/memory/prepare.h"

#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <string>

namespace maskscope {

namespace {

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

torch::jit::Module loaded(const std::filesystem::path& file) {
    try {
        return torch::jit::load(file.string(), at::kCPU);
    } catch (const std::exception& error) {
        throw Failure(ErrorKind::Model,
            file.string()
                + " is no TorchScript module that can be loaded: " + firstLine(error.what()));
    }
}

/// Parts that were frozen have no mode; they are in eval for ever.
void expectEval(const torch::jit::Module& module, const std::filesystem::path& file) {
    for (const auto& part : module.modules())
        if (part.hasattr("training") && part.is_training())
            throw Failure(ErrorKind::Usage,
                file.string()
                    + " was saved in training mode, where nothing would be found: call eval()"
                      " before saving it.");
}

} // namespace

std::vector<AuditFinding> auditTorchScript(
    const std::filesystem::path& file, const LayerShape& shape, const AuditRule& rule) {
    if (!std::filesystem::is_regular_file(file))
        throw Failure(ErrorKind::Input, file.string() + " is not there, or is no file.");
    prepareRequest({});
    torch::jit::Module module = loaded(file);
    expectEval(module, file);
    const c10::InferenceMode inference;
    const auto inputs = module.get_method("forward").num_inputs() - 1; // without the module itself
    std::vector<c10::IValue> given{layerInput(shape)};
    if (inputs > 1)
        given.emplace_back(at::zeros({1, shape.patches}, at::kBool));
    const OpObserver observer(rule);
    try {
        module.forward(given);
    } catch (const std::exception& error) {
        throw Failure(ErrorKind::Model,
            file.string() + " cannot be run on [1, " + std::to_string(shape.patches) + ", "
                + std::to_string(shape.width) + "]" + (inputs > 1 ? " and a padding mask" : "")
                + ": " + firstLine(error.what()) + " Give --patches and --dim as it needs them.");
    }
    return observer.findings();
}

} // namespace maskscope
