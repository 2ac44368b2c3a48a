// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_summary.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/model/checkpoint_files.h"
#include "core/model/safetensors.h"

#include <algorithm>

namespace maskscope {
namespace {

void add(DtypeTotal& total, const TensorSummary& tensor) {
    ++total.tensors;
    total.elements += tensor.bytes / static_cast<std::int64_t>(bytesOf(tensor.dtype));
    total.bytes += tensor.bytes;
}

void add(CheckpointSummary& summary, const std::filesystem::path& path) {
    const SafetensorsFile file(path);
    for (const StoredTensor& stored : file.tensors()) {
        const TensorSummary& tensor = summary.tensors.emplace_back(TensorSummary{stored.name,
            stored.dtype, stored.shape, static_cast<std::int64_t>(stored.bytes.size())});
        add(summary.byDtype[tensor.dtype], tensor);
        add(summary.total, tensor);
    }
    summary.metadata.insert(file.metadata().begin(), file.metadata().end());
}

} // namespace

CheckpointSummary summariseCheckpoint(const std::filesystem::path& fileOrFolder) {
    CheckpointSummary summary;
    std::error_code ignored;
    if (std::filesystem::is_directory(fileOrFolder, ignored))
        for (const auto& path : checkpointFiles(fileOrFolder))
            add(summary, path);
    else
        add(summary, fileOrFolder);
    std::ranges::sort(summary.tensors, {}, &TensorSummary::name);
    const auto twice = std::ranges::adjacent_find(summary.tensors, {}, &TensorSummary::name);
    if (twice != summary.tensors.end())
        throw Failure(ErrorKind::Model,
            "Cannot load " + printable(fileOrFolder.string())
                + ": two of its files hold the tensor \"" + printable(twice->name) + "\".");
    return summary;
}

} // namespace maskscope
