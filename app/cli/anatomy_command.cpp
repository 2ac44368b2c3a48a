// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/anatomy_command.h"

#include "app/cli/arguments.h"
#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/base/bytes.h"
#include "core/engine/event_json.h"
#include "core/engine/machine.h"
#include "core/image/image_reader.h"

#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

namespace maskscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 24; ///< of the table; the rest is one line

Json jsonOf(const AliveTensor& tensor) {
    const bool scratch = tensor.dtype.empty();
    return {{"op", tensor.op}, {"shape", scratch ? Json(nullptr) : Json(tensor.shape)},
        {"dtype", scratch ? Json(nullptr) : Json(tensor.dtype)}, {"bytes", tensor.bytes},
        {"module", tensor.module}, {"copies", tensor.copies}};
}

Json jsonOf(const BytesByCategory& bytes) {
    Json json = Json::object();
    for (std::size_t i = 0; i < bytes.size(); ++i)
        json[std::string(nameOf(MemoryCategory(i)))] = bytes[i];
    return json;
}

/// "16 x 1024 x 1024".
std::string product(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

/// Of a row: `bytes` each.
void printTensor(std::int64_t bytes, std::int64_t copies, const std::string& op,
    const std::string& shape, const std::string& rest) {
    constexpr double kMiB = 1 << 20; // one unit for all, so that the eye can compare
    std::cout << std::right << std::fixed << std::setprecision(2) << std::setw(12)
              << double(bytes * copies) / kMiB << std::setw(12) << double(bytes) / kMiB
              << std::setw(7) << copies << "  " << std::left << std::setw(26) << oneLine(op) << ' '
              << std::setw(24) << shape << ' ' << oneLine(rest) << '\n';
}

Stage stageFrom(const std::string& name) {
    for (const Stage stage :
        {Stage::Image, Stage::Vision, Stage::Prefill, Stage::Decode, Stage::Mask})
        if (nameOf(stage) == name)
            return stage;
    throw Failure(ErrorKind::Usage,
        "--stage cannot be \"" + name + "\": give image, vision, prefill, decode or mask.");
}

} // namespace

AnatomyCommand::AnatomyCommand(CLI::App& app)
    : Command(app, "anatomy", "List every tensor that is alive at the peak, with what made it",
        "maskscope-cli anatomy --path mha --patches 1024")
    , m_memory(options()) {
    CLI::App* c = &options();
    c->add_option("--path", m_path, "mha, sdpa, flash, encoder-layer or cpp-module")
        ->capture_default_str();
    c->add_option("--patches", m_patches, "Number of patches of the layer")
        ->capture_default_str()
        ->check(wholeNumber(1, kMostLayerPatches))
        ->type_name("P");
    c->add_option("--heads", m_heads, "Attention heads of the layer")
        ->capture_default_str()
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--dim", m_width, "Width of a patch's vector of the layer")
        ->capture_default_str()
        ->check(wholeNumber(1, std::numeric_limits<std::int64_t>::max()));
    c->add_option("--dtype", m_dtype, "fp32, bf16 or fp16")
        ->capture_default_str()
        ->check(CLI::IsMember({"fp32", "bf16", "fp16"}));
    c->add_option("--threads", m_threads, "Threads of the computation")->check(CLI::Range(1, 1024));
    CLI::Option* image
        = c->add_option("image", m_image, "A picture: a request on it instead of a layer")
              ->type_name("IMAGE");
    c->add_option("-p,--prompt", m_text, "The request, in words")->needs(image)->type_name("TEXT");
    c->add_option("--model", m_model, "Model folder (default: the shipped one)")
        ->check(notEmpty())
        ->needs(image)
        ->type_name("DIR");
    c->add_option("--pixels", m_pixels, "Pixels of the size the model sees: 0.5M, or native")
        ->check(notEmpty())
        ->needs(image)
        ->type_name("N");
    c->add_option("--stage", m_stage, "The peak of image, vision, prefill, decode or mask alone")
        ->check(notEmpty())
        ->needs(image)
        ->type_name("STAGE");
}

Anatomy AnatomyCommand::ofLayer() const {
    const auto path = layerPathFrom(m_path);
    if (!path)
        throw Failure(ErrorKind::Usage,
            "--path cannot be \"" + m_path
                + "\": give mha, sdpa, flash, encoder-layer or cpp-module.");
    return layerAnatomy({*path, m_patches, m_heads, m_width, 0, precisionArgumentFrom(m_dtype)},
        {m_threads, m_memory.limit(), m_memory.preflight()});
}

Anatomy AnatomyCommand::ofRequest() const {
    if (m_text.empty())
        throw Failure(ErrorKind::Usage, "anatomy of a picture needs a request: give -p TEXT.");
    Request request;
    request.text = m_text;
    request.settings.attention = attentionFrom(given("--path") ? m_path : "auto");
    request.settings.precision = precisionArgumentFrom(m_dtype);
    request.settings.threads = m_threads;
    request.settings.memoryLimit = m_memory.limit();
    request.settings.preflight = m_memory.preflight();
    request.settings.pixels = m_pixels.empty() ? 0 : pixelCountFrom(m_pixels);
    std::optional<Stage> stage;
    if (!m_stage.empty())
        stage = stageFrom(m_stage);
    request.images = {std::make_shared<const Image>(readImage(m_image))};
    return requestAnatomy(m_model.empty() ? shippedModel() : m_model, request, stage);
}

void AnatomyCommand::print(const Anatomy& anatomy) const {
    std::cout << bytesText(anatomy.peakBytes, 2) << " are live at the peak, "
              << bytesText(anatomy.extraPeakBytes, 2) << " more than at the start; "
              << oneLine(textOf(describeMachine())) << "\n\n"
              << std::right << std::setw(12) << "in all, MiB" << std::setw(12) << "each, MiB"
              << std::setw(7) << "copies"
              << "  " << std::left << std::setw(26) << "made by" << ' ' << std::setw(24) << "shape"
              << " type\n";
    std::int64_t rest = 0;
    for (std::size_t i = 0; i < anatomy.tensors.size(); ++i) {
        const AliveTensor& tensor = anatomy.tensors[i];
        if (i >= kMostRows) {
            rest += tensor.bytes * tensor.copies;
            continue;
        }
        printTensor(tensor.bytes, tensor.copies, tensor.op,
            tensor.dtype.empty() ? "scratch" : product(tensor.shape),
            tensor.dtype + (tensor.module.empty() ? "" : "  in " + tensor.module));
    }
    if (rest > 0)
        printTensor(rest, 1, std::to_string(anatomy.tensors.size() - kMostRows) + " smaller ones",
            "", "together");
    for (std::size_t i = 0; i < anatomy.before.size(); ++i)
        if (anatomy.before[i] != 0)
            printTensor(
                anatomy.before[i], 1, "from before", "", std::string(nameOf(MemoryCategory(i))));
    if (anatomy.unattributed != 0)
        printTensor(anatomy.unattributed, 1, "of other threads", "", "");
    const std::int64_t count = anatomy.matrices();
    if (count == 0)
        std::cout << "\nNo tensor of P x P is alive at the peak.\n";
    else
        std::cout << '\n'
                  << count << (count == 1 ? " tensor of " : " tensors of ")
                  << product({anatomy.heads, anatomy.patches, anatomy.patches})
                  << (count == 1 ? " is" : " are")
                  << " alive at the peak: " << bytesText(anatomy.matrixBytes(), 2) << ".\n";
}

void AnatomyCommand::tell(const Anatomy& anatomy) const {
    if (!json()) {
        print(anatomy);
        return;
    }
    Json tensors = Json::array();
    for (const AliveTensor& tensor : anatomy.tensors)
        tensors.push_back(jsonOf(tensor));
    std::cout << lineOf({{"event", "anatomy"}, {"patches", anatomy.patches},
        {"heads", anatomy.heads}, {"peak_bytes", anatomy.peakBytes},
        {"extra_peak_bytes", anatomy.extraPeakBytes}, {"matrices", anatomy.matrices()},
        {"tensors", tensors}, {"before", jsonOf(anatomy.before)},
        {"unattributed_bytes", anatomy.unattributed}, {"machine", textOf(describeMachine())}})
              << '\n';
}

int AnatomyCommand::run() const {
    const Interrupt interrupt(OnInterrupt::End);
    tell(m_image.empty() ? ofLayer() : ofRequest());
    if (!std::cout.flush())
        throw Failure(ErrorKind::Input, "The output could not be written completely.");
    return 0;
}

} // namespace maskscope
