// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/measure/audit.h"
#include "core/measure/layer_run.h"
#include "core/measure/op_observer.h"

#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/print_handler.h>
#include <torch/csrc/jit/serialization/import.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>

namespace maskscope {

namespace {

/// The line that says what happened: LibTorch puts a trace behind it, and the interpreter one
/// before it too. Empty where it speaks of LibTorch's own code only.
std::string reasonOf(const std::exception& error) {
    const auto* own = dynamic_cast<const c10::Error*>(&error);
    std::istringstream lines(own ? own->what_without_backtrace() : error.what());
    std::string first, last, line;
    while (std::getline(lines, line)) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        if (first.empty())
            first = line;
        last = line;
    }
    std::string reason = first.starts_with("The following operation failed") ? last : first;
    if (reason.find("INTERNAL ASSERT") != std::string::npos)
        return {};
    while (!reason.empty() && std::string_view(" .\t\r").find(reason.back()) != std::string::npos)
        reason.pop_back();
    return reason;
}

std::string behindColon(const std::string& reason) {
    return reason.empty() ? "" : ": " + reason;
}

torch::jit::Module loaded(const std::filesystem::path& file) {
    try {
        return torch::jit::load(file.string(), at::kCPU);
    } catch (const std::exception& error) {
        throw Failure(ErrorKind::Model,
            file.string() + " is no TorchScript module, or is damaged"
                + behindColon(reasonOf(error)) + ".");
    }
}

/// What a module prints is not what the program that runs it has to say.
struct SilentPrint {
    torch::jit::PrintHandler outer = torch::jit::getPrintHandler();

    SilentPrint() {
        torch::jit::setPrintHandler([](const std::string&) {});
    }
    ~SilentPrint() { torch::jit::setPrintHandler(outer); }
    SilentPrint(const SilentPrint&) = delete;
    SilentPrint& operator=(const SilentPrint&) = delete;
};

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

FileAudit auditTorchScript(const std::filesystem::path& file, const LayerShape& shape,
    const AuditRule& rule, const LayerLimits& limits) {
    if (!std::filesystem::is_regular_file(file))
        throw Failure(ErrorKind::Input, file.string() + " is not there, or is no file.");
    const LayerJob job(shape, limits, file.string());
    torch::jit::Module module = loaded(file);
    expectEval(module, file);
    FileAudit audit;
    job.run([&] {
        const c10::InferenceMode inference;
        const SilentPrint silent;
        const auto inputs = module.get_method("forward").num_inputs() - 1; // without the module
        std::vector<c10::IValue> given{layerInput(shape)};
        if (inputs > 1)
            given.emplace_back(at::zeros({1, shape.patches}, at::kBool));
        const OpObserver observer(rule);
        try {
            module.forward(given);
        } catch (const std::exception& error) {
            job.check();
            throw Failure(ErrorKind::Model,
                file.string() + " cannot be run on [1, " + std::to_string(shape.patches) + ", "
                    + std::to_string(shape.width) + "]" + (inputs > 1 ? " and a padding mask" : "")
                    + behindColon(reasonOf(error))
                    + ". Give --patches and --dim as it needs them.");
        }
        audit = {observer.findings(), observer.near(), 0};
    });
    return audit;
}

} // namespace maskscope
