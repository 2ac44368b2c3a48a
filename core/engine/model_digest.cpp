// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_digest.h"

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/model/checkpoint_files.h"
#include "core/model/safetensors.h"

#include <span>
#include <vector>

namespace maskscope {

namespace {

constexpr std::int64_t kMostTextBytes = std::int64_t(1) << 28;
constexpr std::size_t kBlock = 1024;
constexpr std::size_t kBlocks = 64;

std::string digestOfSome(std::span<const std::byte> bytes) {
    if (bytes.size() <= kBlock * kBlocks)
        return digestOf(bytes);
    std::vector<std::byte> some;
    some.reserve(kBlock * kBlocks);
    for (std::size_t i = 0; i < kBlocks; ++i) { // from its begin to its end
        const auto block = bytes.subspan((bytes.size() - kBlock) / (kBlocks - 1) * i, kBlock);
        some.insert(some.end(), block.begin(), block.end());
    }
    return digestOf(some);
}

} // namespace

std::string digestOfModel(const std::filesystem::path& folder) {
    std::string all;
    for (const char* file : {"config.json", "tokenizer.json"})
        all += digestOf(readFile(folder / file, kMostTextBytes));
    for (const std::filesystem::path& path : checkpointFiles(folder)) {
        const SafetensorsFile file(path);
        for (const StoredTensor& tensor : file.tensors())
            all += tensor.name + ' ' + std::string(nameOf(tensor.dtype)) + shapeText(tensor.shape)
                + digestOfSome(tensor.bytes) + '\n';
    }
    return digestOf(std::as_bytes(std::span(all)));
}

} // namespace maskscope
