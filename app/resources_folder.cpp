// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/resources_folder.h"

#include <system_error>

namespace maskscope {

std::filesystem::path resourcesFolder() {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (!error) {
        auto installed = program.parent_path().parent_path() / "share" / "maskscope";
        if (std::filesystem::is_directory(installed, error))
            return installed;
    }
    return MASKSCOPE_RESOURCES;
}

std::filesystem::path shippedModel() {
    return resourcesFolder() / "models" / "lens-small";
}

} // namespace maskscope
