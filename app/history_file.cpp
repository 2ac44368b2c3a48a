// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/history_file.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace maskscope {

namespace {

std::filesystem::path homeFolder() {
    if (const char* home = std::getenv("HOME"); home && *home)
        return home;
    const passwd* user = getpwuid(getuid());
    return user ? user->pw_dir : "/";
}

std::filesystem::path dataFolder() {
    if (const char* folder = std::getenv("XDG_DATA_HOME"))
        if (std::filesystem::path path(folder); path.is_absolute())
            return path;
    return homeFolder() / ".local" / "share";
}

} // namespace

std::filesystem::path historyFile() {
    return dataFolder() / "maskscope" / "history.sqlite";
}

} // namespace maskscope
