// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inspect_command.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"
#include "core/model/checkpoint_summary.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

Json describeCheckpoint(const std::filesystem::path& file) {
    const CheckpointSummary summary = summariseCheckpoint(file);
    Json tensors = Json::array();
    for (const TensorSummary& tensor : summary.tensors)
        tensors.push_back({{"name", tensor.name}, {"dtype", nameOf(tensor.dtype)},
            {"shape", tensor.shape}, {"bytes", tensor.bytes}});
    return {{"file", file.string()}, {"kind", "checkpoint"}, {"tensors", tensors},
        {"parameters", summary.total.elements}, {"bytes", summary.total.bytes}};
}

Json describeImage(const std::filesystem::path& file, const std::vector<std::string>& places) {
    const Image image = readImage(file);
    Json json = {{"file", file.string()}, {"kind", "image"}, {"size", {image.width, image.height}},
        {"depth", image.source.depth}, {"channels", image.source.channels},
        {"orientation", image.source.orientation}, {"frames", image.source.frames},
        {"notes", image.source.notes}};
    for (const std::string& place : places) {
        const PointPrompt point = pointFrom(place);
        if (!(point.x >= 0 && point.x < image.width && point.y >= 0 && point.y < image.height))
            throw Failure(ErrorKind::Usage,
                "--pixels " + place + " is outside of " + file.string() + ", which is "
                    + std::to_string(image.width) + " x " + std::to_string(image.height) + ".");
        const std::size_t pixel
            = 3 * (std::size_t(point.y) * std::size_t(image.width) + std::size_t(point.x));
        json["pixels"].push_back({image.rgb[pixel], image.rgb[pixel + 1], image.rgb[pixel + 2]});
    }
    return json;
}

bool isCheckpoint(const std::filesystem::path& file) {
    return std::filesystem::is_directory(file) || file.extension() == ".safetensors";
}

void print(const Json& json) {
    std::cout << oneLine(json["file"].get<std::string>()) << ": ";
    if (json["kind"] == "image") {
        std::cout << "image, " << json["size"][0] << " x " << json["size"][1] << ", "
                  << json["channels"] << " channels of " << json["depth"] << " bits";
        if (json["orientation"] != 1)
            std::cout << ", turned upright from EXIF orientation " << json["orientation"];
        if (json["frames"] != 1)
            std::cout << ", first of " << json["frames"] << " frames";
        std::cout << '\n';
        for (const auto& note : json["notes"])
            std::cout << "  " << oneLine(note.get<std::string>()) << '\n';
        if (json.contains("pixels"))
            for (const auto& pixel : json["pixels"])
                std::cout << "  rgb " << pixel[0] << ' ' << pixel[1] << ' ' << pixel[2] << '\n';
        return;
    }
    std::cout << "checkpoint, " << json["tensors"].size() << " tensors, " << json["parameters"]
              << " parameters, " << bytesText(json["bytes"].get<std::int64_t>()) << '\n';
    for (const auto& tensor : json["tensors"])
        std::cout << "  " << oneLine(tensor["name"].get<std::string>()) << ' '
                  << tensor["dtype"].get<std::string>() << ' ' << tensor["shape"].dump() << '\n';
}

} // namespace

InspectCommand::InspectCommand(CLI::App& app)
    : Command(app, "inspect", "What an image or a checkpoint holds",
        "maskscope-cli inspect photo.jpg --pixels 10,20 --json") {
    options()
        .add_option("files", m_files, "Images, .safetensors files or model folders")
        ->required()
        ->type_name("FILE");
    options()
        .add_option("--pixels", m_pixels, "Show the colour of the pixel at X,Y; repeatable")
        ->allow_extra_args(false)
        ->type_name("X,Y");
}

int InspectCommand::run() const {
    int exitCode = 0;
    for (const auto& file : m_files)
        try {
            const Json found
                = isCheckpoint(file) ? describeCheckpoint(file) : describeImage(file, m_pixels);
            if (json())
                std::cout << lineOf(found) << '\n';
            else
                print(found);
        } catch (const Failure& failure) {
            tell(failure.error(), json());
            exitCode = exitCode ? exitCode : exitCodeOf(failure.kind());
        }
    return exitCode;
}

} // namespace maskscope
