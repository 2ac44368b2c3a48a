// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/past_run.h"

#include "app/cli/terminal.h"
#include "app/history_file.h"
#include "core/base/error.h"
#include "core/history/run_file.h"
#include "core/image/image_reader.h"

#include <charconv>
#include <iostream>
#include <optional>

namespace maskscope {

namespace {

constexpr std::uint8_t kGrey = 200;

/// The number that `text` is and nothing else.
std::optional<std::int64_t> numberIn(const std::string& text) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

std::optional<Image> pictureAsItWas(const RunImage& image) {
    try {
        Image picture = readImage(image.path);
        if (digestOf(picture) == image.digest)
            return picture;
    } catch (const Failure&) {
        return std::nullopt; // it is gone, or another file took its name
    }
    return std::nullopt;
}

} // namespace

bool hasHistory() {
    std::error_code error;
    return std::filesystem::exists(historyFile(), error) || error;
}

RunStore existingHistory(std::int64_t wanted) {
    if (!hasHistory())
        throw Failure(ErrorKind::Usage,
            "There is no run " + std::to_string(wanted)
                + ": the history is empty, and segment --record keeps a run in it.");
    return RunStore(historyFile());
}

int keepRun(const RunRecord& record, bool json) {
    try {
        const std::int64_t id = RunStore(historyFile()).add(record);
        std::cerr << "kept as run " << id << " of the history\n";
        return 0;
    } catch (const Failure& failure) {
        tell(failure.error(), json);
        return exitCodeOf(failure.kind());
    }
}

ComparedRuns pastRunFrom(const std::string& text) {
    if (const auto id = numberIn(text))
        return pastRun(existingHistory(*id).load(*id), "run " + std::to_string(*id));
    const std::filesystem::path file(text);
    return pastRun(readRunFile(file), file.filename().string());
}

Image pictureOf(const RunRecord& record) {
    const RunImage& image = record.header.image;
    if (auto picture = pictureAsItWas(image))
        return std::move(*picture);
    std::cerr << "maskscope-cli: " << oneLine(image.path)
              << " is not there as it was; the masks are drawn on grey.\n";
    Image grey;
    grey.width = image.width;
    grey.height = image.height;
    grey.rgb.assign(std::size_t(image.width) * std::size_t(image.height) * 3, kGrey);
    return grey;
}

} // namespace maskscope
