// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/run_file.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>

namespace maskscope {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t(1) << 30;
constexpr std::int64_t kMostPixels = 200'000'000; // as many as a picture that is read
constexpr double kLongestMs = 30.0 * 24 * 3600 * 1000; // nobody waits a month for a mask

bool isTime(std::string_view text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    if (text.size() != kForm.size())
        return false;
    for (std::size_t i = 0; i < kForm.size(); ++i)
        if (kForm[i] == 'd' ? std::isdigit(static_cast<unsigned char>(text[i])) == 0
                            : text[i] != kForm[i])
            return false;
    return true;
}

bool ends(const Event& event) {
    return std::holds_alternative<Done>(event.payload)
        || std::holds_alternative<Failed>(event.payload);
}

bool fits(const Event& event, const RunImage& image) {
    const auto ofImage = [&](const std::shared_ptr<const Mask>& mask) {
        return mask->width == image.width && mask->height == image.height;
    };
    if (const auto* produced = std::get_if<MaskProduced>(&event.payload))
        return ofImage(produced->mask);
    if (const auto* done = std::get_if<Done>(&event.payload))
        return std::ranges::all_of(done->report->candidates, ofImage);
    return true;
}

/// What makes a record no run that could have been, or nothing.
std::string flawOf(const RunRecord& record) {
    if (!isTime(record.header.started))
        return "its \"started\" is no time such as 2026-11-30T09:45:40Z";
    const RunImage& image = record.header.image;
    if (image.width < 1 || image.height < 1 || image.width > kMostPixels / image.height)
        return "its image has a size that no picture has";
    for (std::size_t i = 0; i < record.events.size(); ++i) {
        const Event& event = record.events[i];
        if (!(event.tMs >= 0 && event.tMs <= kLongestMs))
            return "event " + std::to_string(i + 1) + " has a time that no run has";
        if (!fits(event, image))
            return "a mask has another size than the image";
        if (ends(event) && i + 1 < record.events.size())
            return "something follows the end of the run";
    }
    return {};
}

} // namespace

void writeRunFile(const RunRecord& record, const std::filesystem::path& file, Existing existing) {
    AtomicFile output(file);
    output.write(linesOf(record));
    output.commit(existing);
}

RunRecord readRunFile(const std::filesystem::path& file) {
    const std::vector<std::byte> bytes = readFile(file, kMostBytes);
    const std::string name = printable(file.string());
    const std::string_view lines(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    RunRecord record = runRecordFrom(lines, name);
    if (const std::string flaw = flawOf(record); !flaw.empty())
        throw Failure(ErrorKind::Input, name + " is not a run: " + flaw + ".");
    return record;
}

} // namespace maskscope
