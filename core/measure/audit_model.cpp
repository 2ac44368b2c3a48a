// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/engine/engine.h"
#include "core/measure/audit.h"
#include "core/measure/op_observer.h"
#include "core/measure/patch_picture.h"
#include "core/model/config.h"

#include <algorithm>
#include <memory>
#include <string>

namespace maskscope {

namespace {

/// Fewer than the image tokens that every prompt of words holds, more than any answer fed at once.
constexpr std::int64_t kPromptTokens = 48;

} // namespace

std::vector<AuditFinding> auditModel(
    const std::filesystem::path& folder, std::int64_t patches, const RunSettings& settings) {
    EngineOptions options;
    options.model = folder;
    options.precision = settings.precision;
    options.threads = settings.threads;
    options.memoryLimit = settings.memoryLimit;
    Request request;
    request.images = {pictureOf(patches)};
    request.settings = settings;
    request.settings.pixels = kNativePixels;
    request.settings.maxNewTokens = 1;
    const auto engine = Engine::create(options).value();
    const LensConfig config = readLensConfig(folder / "config.json");
    std::vector<AuditFinding> findings;
    const auto audit = [&](const AuditRule& rule) {
        const OpObserver observer(rule);
        ++request.number;
        const auto report = engine->run(request, [](const Event&) {}).value();
        if (report->patches != patches)
            throw Failure(ErrorKind::Usage,
                "The model sees " + std::to_string(report->patches) + " patches instead of "
                    + std::to_string(patches) + ": give at most what `info --model` says.");
        for (const AuditFinding& finding : observer.findings())
            if (std::find(findings.begin(), findings.end(), finding) == findings.end())
                findings.push_back(finding);
    };
    // A click: the image and the mask decoder. Words: the language model's prefill too.
    request.points = {{1, 1, PointSign::Positive}};
    audit({patches, std::nullopt, config.mask.heads});
    request.points.clear();
    request.text = "segment the cat";
    audit({std::nullopt, kPromptTokens, config.language.heads});
    return findings;
}

} // namespace maskscope
