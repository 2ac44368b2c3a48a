// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab_tools.h"

#include "core/base/child_process.h"
#include "core/measure/point_process.h"
#include "core/measure/sweep_file.h"

namespace maskscope {

LabTools labTools() {
    LabTools tools;
    tools.measure
        = [program = thisProgram()](const LayerPoint& point, const std::stop_token& stop) {
              return measureInChild(program, point, stop);
          };
    tools.describeMachine = describeMachine;
    tools.write = [](const SweepRecord& record, const std::filesystem::path& file) {
        writeSweep(record, file, Existing::Replace); // the dialog has asked
    };
    return tools;
}

} // namespace maskscope
