// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint_files.h"

#include "core/base/error.h"
#include "core/base/mapped_file.h"
#include "core/base/strict_json.h"
#include "core/base/utf8.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace maskscope {
namespace {

/// Plain names only: an index must not reach outside its folder.
bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos
        && name.find('\0') == std::string::npos;
}

std::set<std::string> shardsIn(const std::filesystem::path& index) {
    const std::string subject = "Cannot load " + printable(index.string()) + ": it";
    const MappedFile file(index, ErrorKind::Model);
    const nlohmann::json json = parseStrictJson(
        {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, subject);
    const auto map = json.is_object() ? json.find("weight_map") : json.end();
    if (!json.is_object() || map == json.end() || !map->is_object() || map->empty())
        throw Failure(ErrorKind::Model,
            subject + " has no weight_map that says which file holds which tensor; download it "
                + "again.");
    std::set<std::string> names;
    for (const auto& item : map->items()) {
        if (!item.value().is_string() || !isPlainName(item.value().get<std::string>()))
            throw Failure(ErrorKind::Model,
                subject + " gives no plain file name for the tensor \"" + printable(item.key())
                    + "\".");
        names.insert(item.value().get<std::string>());
    }
    return names;
}

} // namespace

std::vector<std::filesystem::path> checkpointFiles(const std::filesystem::path& folder) {
    const auto whole = folder / "model.safetensors";
    const auto index = folder / "model.safetensors.index.json";
    std::error_code ignored;
    if (std::filesystem::exists(whole, ignored) || !std::filesystem::exists(index, ignored))
        return {whole};
    std::vector<std::filesystem::path> files;
    for (const std::string& name : shardsIn(index))
        files.push_back(folder / name);
    return files;
}

} // namespace maskscope
