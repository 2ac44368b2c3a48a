// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_image.h"

#include "app/cli/arguments.h"
#include "app/cli/print_row.h"
#include "app/cli/terminal.h"
#include "app/resources_folder.h"
#include "core/base/cancelled.h"
#include "core/engine/event_json.h"
#include "core/image/image_reader.h"
#include "core/measure/image_cost.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace maskscope {

ImageBench::ImageBench(Command& bench)
    : Command(bench, "image", "Reading a picture, and making it what the model sees",
        "maskscope-cli bench image photo.jpg drawing.png --pixels 1M")
    , m_timing(options()) {
    CLI::App* c = &options();
    c->add_option("images", m_files, "Pictures (default: a JPEG and a PNG that are shipped)")
        ->type_name("IMAGE");
    c->add_option("--pixels", m_pixels, "Pixels of the size the model sees: 0.5M, or native")
        ->check(notEmpty())
        ->type_name("N");
}

int ImageBench::run() const {
    const Interrupt interrupt;
    const std::int64_t wanted = pixelCountFrom(m_pixels);
    std::vector<std::filesystem::path> files = m_files;
    if (files.empty())
        files = {resourcesFolder() / "examples" / "coffee.jpg",
            resourcesFolder() / "examples" / "tea_time.png"};
    auto ratios = nlohmann::ordered_json::array();
    bool headed = json();
    for (const std::filesystem::path& file : files) {
        const Image image = readImage(file); // one that cannot be read is told before a figure
        const std::int64_t pixels
            = wanted == kNativePixels ? std::int64_t(image.width) * image.height : wanted;
        ImageCost cost;
        try {
            cost = measureImage([&] { return readImage(file); }, pixels, m_timing.threads(),
                m_timing.repeats(), interrupt.stop().get_token());
        } catch (const Cancelled&) {
            return kInterruptedExitCode;
        }
        const double ratio = cost.prepareMs.median / cost.decodeMs.median;
        const double decoded
            = double(cost.width) * cost.height / cost.decodeMs.median / 1000; // MP/s
        ratios.push_back({{"file", file.string()}, {"prepare_over_decode", ratio}});
        if (json()) {
            std::cout << lineOf({{"event", "image_cost"}, {"file", file.string()},
                {"size", {cost.width, cost.height}}, {"seen_pixels", cost.seenPixels},
                {"decode_ms", jsonOf(cost.decodeMs)}, {"prepare_ms", jsonOf(cost.prepareMs)},
                {"decode_megapixels_per_s", decoded}, {"prepare_over_decode", ratio}})
                      << '\n'
                      << std::flush;
            continue;
        }
        if (!std::exchange(headed, true))
            printRow("%11s %10s %-20s %7s %10s %-20s %8s  %s", "size", "decode", "", "MP/s",
                "prepare", "", "ratio", "file");
        const std::string size = std::to_string(cost.width) + " x " + std::to_string(cost.height);
        printRow("%11s %7.2f ms %-20s %7.1f %7.2f ms %-20s %6.2f x  %s", size.c_str(),
            cost.decodeMs.median, rangeText(cost.decodeMs).c_str(), decoded, cost.prepareMs.median,
            rangeText(cost.prepareMs).c_str(), ratio, oneLine(file.string()).c_str());
    }
    if (json())
        std::cout << lineOf({{"event", "summary"}, {"ratios", ratios}}) << '\n';
    return 0;
}

} // namespace maskscope
