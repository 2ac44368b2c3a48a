// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_machine.h"

#include "core/engine/machine.h"

namespace maskscope {

RunMachine thisMachine(int threads) {
    const MachineInfo machine = describeMachine();
    return {machine.processor, machine.capability, machine.torchVersion,
        threads > 0 ? threads : machine.threads};
}

} // namespace maskscope
