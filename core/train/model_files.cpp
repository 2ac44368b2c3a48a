// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/model_files.h"

#include "core/base/error.h"
#include "core/train/checkpoint.h"

#include <fstream>
#include <system_error>

namespace maskscope {
namespace {

namespace fs = std::filesystem;

void writeText(const fs::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    if (!stream.flush())
        throw Failure(ErrorKind::Input, file.string() + " cannot be written.");
}

void fill(const fs::path& folder, const Weights& weights, const LensConfig& config,
    const fs::path& tokenizer, const fs::path& classes) {
    writeWeights(folder / "model.safetensors", weights.all(), at::kHalf,
        {{"format", "pt"}, {"license", "GPL-3.0-or-later; vision.encoder: Apache-2.0"}});
    writeText(folder / "config.json", writeLensConfig(config));
    const auto replace = fs::copy_options::overwrite_existing;
    fs::copy_file(tokenizer, folder / "tokenizer.json", replace);
    fs::copy_file(classes, folder / "classes.json", replace);
}

} // namespace

LensConfig lensConfigFor(const TrainingMaterial& material) {
    LensConfig config;
    config.language.vocabulary = material.tokenizer().idLimit();
    for (const auto& entry : material.classes().all())
        config.classes.push_back(entry.singular);
    return config;
}

void writeModelFolder(const fs::path& folder, const Weights& weights, const LensConfig& config,
    const fs::path& tokenizer, const fs::path& classes) {
    auto fresh = folder;
    fresh += ".new";
    auto old = folder;
    old += ".old";
    try {
        fs::remove_all(fresh);
        fs::remove_all(old);
        if (fs::exists(folder))
            fs::copy(folder, fresh, fs::copy_options::recursive);
        else
            fs::create_directories(fresh);
        fill(fresh, weights, config, tokenizer, classes);
        if (fs::exists(folder))
            fs::rename(folder, old);
        fs::rename(fresh, folder);
        fs::remove_all(old);
    } catch (const fs::filesystem_error& error) {
        std::error_code ignored;
        fs::remove_all(fresh, ignored);
        throw Failure(ErrorKind::Input,
            "The model folder " + folder.string() + " cannot be written: " + error.code().message()
                + ".");
    }
}

} // namespace maskscope
