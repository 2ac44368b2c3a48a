// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace maskscope {

/// What a run ran on.
struct RunMachine {
    std::string processor; ///< its model name, or empty
    std::string capability; ///< the vector instructions used, such as "AVX512"
    std::string torchVersion;
    int threads = 0;
};

/// The picture of a run. It is not kept with the run, only known again.
struct RunImage {
    std::string path;
    int width = 0; ///< pixels, upright
    int height = 0;
    std::string digest; ///< of the upright pixels
};

/// Everything about a run that was known before it began: with it, the run can be done again.
struct RunHeader {
    std::string title; ///< what the person calls it: "mha,kv-cache=off"; data, never markup
    std::string started; ///< UTC, "2026-11-30T09:45:40Z"
    std::string programVersion;
    RunMachine machine;
    std::string device = "cpu";
    std::string modelName;
    std::string modelFolder;
    std::string modelDigest; ///< ModelInfo::digest; empty in records of before there was one
    std::int64_t trainingPixels = 0; ///< ModelInfo::trainingPixels; 0 in records of before it
    RunImage image;
    std::string text;
    std::vector<PointPrompt> points;
    std::vector<BoxPrompt> boxes;
    int meaning = 0;
    RunSettings settings;
};

/// The present time as RunHeader::started has it.
std::string utcNow();

std::string digestOf(const Image& image);

/// What of a header makes a request, without its image.
Request requestOf(const RunHeader& header);
/// The other way round; the image, machine and model are left empty.
RunHeader headerOf(const Request& request);

/// {"event": "run", "format": 1, …}
nlohmann::ordered_json jsonOf(const RunHeader& header);

/// Throws Failure(Input): "<what> …" that names a field which is missing or of a wrong type, or
/// when the format is a later one.
RunHeader runHeaderFrom(const nlohmann::json& json, std::string_view what);

} // namespace maskscope
