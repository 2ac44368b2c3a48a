// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/history/run_record.h"
#include "ui/picture.h"

#include <QTemporaryDir>
#include <memory>

namespace maskscope {

/// What a past run was, to be done again with the seed that it drew; the error says why it cannot
/// be.
Result<RunHeader> againOf(const RunRecord& run);

/// Writes requests down for a process that is to run them. The process reads the picture from its
/// file; one that has none gets a temporary file, which lasts as long as this object.
class RunQuestion {
public:
    /// With a seed, so that it can be run again. The error says what cannot be written.
    Result<RunHeader> of(
        const Request& request, const Picture& picture, const std::filesystem::path& model);

private:
    Result<QString> fileOf(const Picture& picture);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::weak_ptr<const Image> m_written; // into that folder
};

} // namespace maskscope
