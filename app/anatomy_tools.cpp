// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/anatomy_tools.h"

#include "core/base/child_process.h"

namespace maskscope {

AnatomyTools anatomyTools(const std::filesystem::path& model) {
    AnatomyTools tools;
    tools.model = std::filesystem::absolute(model);
    tools.take = [program = thisProgram()](const AnatomyQuestion& question,
                     const std::function<void(Stage)>& onStage, const std::stop_token& stop) {
        return anatomyInChild(program, question, onStage, stop);
    };
    return tools;
}

} // namespace maskscope
