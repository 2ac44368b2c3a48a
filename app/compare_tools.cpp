// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare_tools.h"

#include "core/base/atomic_file.h"
#include "core/base/child_process.h"
#include "core/compare/memory_drawing.h"
#include "core/compare/report_html.h"
#include "core/compare/report_json.h"
#include "core/compare/report_text.h"
#include "core/compare/run_process.h"
#include "core/engine/event_json.h"

#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

std::string contentFor(const std::filesystem::path& file, const std::vector<ComparedRuns>& compared,
    const Image& image) {
    if (file.extension() == ".html")
        return htmlReport(compared, image);
    if (file.extension() == ".md")
        return changeRequestOf(compared);
    if (file.extension() == ".svg")
        return memoryDrawing(compared);
    return lineOf(summaryJson(compared)) + '\n';
}

} // namespace

CompareTools compareTools(const std::filesystem::path& model) {
    CompareTools tools;
    tools.model = std::filesystem::absolute(model);
    tools.run
        = [program = thisProgram()](const RunHeader& header, const EventSink& onEvent,
              const std::stop_token& stop) { return runInChild(program, header, onEvent, stop); };
    tools.describeMachine = describeMachine;
    tools.write = [](const std::vector<ComparedRuns>& compared, const Image& image,
                      const std::filesystem::path& file) {
        AtomicFile output(file);
        output.write(contentFor(file, compared, image));
        output.commit(); // the dialog has asked
    };
    return tools;
}

} // namespace maskscope
