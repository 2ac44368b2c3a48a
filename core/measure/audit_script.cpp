// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/measure/audit.h"
#include "core/measure/layer_run.h"
#include "core/measure/op_observer.h"
#include "core/memory/budget.h"
#include "core/memory/counting_allocator.h"
#include "core/memory/prepare.h"
#include "core/memory/process.h"

#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/print_handler.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <string>

namespace maskscope {

namespace {

/// Why a script failed: its errors begin with where, in many lines, and end with the reason, behind
/// which the library may write its own trace.
std::string reasonOf(const std::exception& error) {
    std::string text = error.what();
    if (const std::size_t trace = text.find("\nException raised from"); trace != std::string::npos)
        text.erase(trace);
    text.erase(text.find_last_not_of(" \n") + 1);
    const std::size_t line = text.find_last_of('\n');
    text = printable(line == std::string::npos ? text : text.substr(line + 1));
    return text.empty() ? "LibTorch does not say why" : text;
}

torch::jit::Module loaded(const std::filesystem::path& file) {
    try {
        return torch::jit::load(file.string(), at::kCPU);
    } catch (const std::exception& error) {
        throw Failure(ErrorKind::Model,
            file.string() + " is no TorchScript module that can be loaded: " + reasonOf(error)
                + ".");
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
    installCountingAllocator();
    prepareRequest({});
    torch::jit::setPrintHandler([](const std::string&) {}); // what it prints is not asked for
    torch::jit::Module module = loaded(file);
    expectEval(module, file);
    const c10::InferenceMode inference;
    const auto inputs = module.get_method("forward").num_inputs() - 1; // without the module itself
    std::vector<c10::IValue> given{layerInput(shape)};
    if (inputs > 1)
        given.emplace_back(at::zeros({1, shape.patches}, at::kBool));
    const MemoryBudget budget(cpuLedger(), defaultMemoryLimit(cpuLedger().live()));
    const OpObserver observer(rule);
    try {
        module.forward(given);
    } catch (const std::exception& error) {
        budget.check();
        throw Failure(ErrorKind::Model,
            file.string() + " cannot be run on [1, " + std::to_string(shape.patches) + ", "
                + std::to_string(shape.width) + "]" + (inputs > 1 ? " and a padding mask" : "")
                + ": " + reasonOf(error) + ". Give --patches and --dim as it needs them.");
    }
    return observer.findings();
}

} // namespace maskscope
