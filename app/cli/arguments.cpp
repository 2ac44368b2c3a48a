// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"

#include "core/base/error.h"
#include "core/ring/ring_devices.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace maskscope {

namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view what) {
    throw Failure(ErrorKind::Usage,
        std::string(option) + " cannot be \"" + std::string(text) + "\": give " + std::string(what)
            + ".");
}

std::optional<double> numberFrom(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::vector<std::string_view> splitAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t start = 0;;) {
        const std::size_t comma = text.find(',', start);
        parts.push_back(text.substr(start, comma - start));
        if (comma == std::string_view::npos)
            return parts;
        start = comma + 1;
    }
}

constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{
    {"", 1.0},
    {"B", 1.0},
    {"KB", 1e3},
    {"MB", 1e6},
    {"GB", 1e9},
    {"KiB", 1024.0},
    {"MiB", 1024.0 * 1024},
    {"GiB", 1024.0 * 1024 * 1024},
    {"TiB", 1024.0 * 1024 * 1024 * 1024},
}};

} // namespace

std::int64_t byteCountFrom(std::string_view text, std::string_view option) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789."), text.size());
    std::string_view unit = text.substr(digits);
    if (!unit.empty() && unit.front() == ' ')
        unit.remove_prefix(1);
    const std::optional<double> number = numberFrom(text.substr(0, digits));
    for (const auto& [name, factor] : kUnits)
        if (number && unit == name && *number * factor >= 1 && *number * factor < 9e18)
            return static_cast<std::int64_t>(*number * factor);
    refuse(option, text, "a size such as 512MiB or 2GB");
}

PointPrompt pointFrom(std::string_view text) {
    constexpr std::string_view kWhat = "X,Y or X,Y,+ or X,Y,- in pixels of the image";
    const auto parts = splitAtCommas(text);
    if (parts.size() != 2 && parts.size() != 3)
        refuse("--point", text, kWhat);
    const auto x = numberFrom(parts[0]);
    const auto y = numberFrom(parts[1]);
    const std::string_view sign = parts.size() == 3 ? parts[2] : "+";
    if (!x || !y || (sign != "+" && sign != "-"))
        refuse("--point", text, kWhat);
    return {*x, *y, sign == "+" ? PointSign::Positive : PointSign::Negative};
}

BoxPrompt boxFrom(std::string_view text) {
    constexpr std::string_view kWhat
        = "X0,Y0,X1,Y1 in pixels of the image, with X0 < X1 and Y0 < Y1";
    std::vector<double> corners;
    for (const std::string_view part : splitAtCommas(text)) {
        const auto corner = numberFrom(part);
        if (!corner)
            refuse("--box", text, kWhat);
        corners.push_back(*corner);
    }
    if (corners.size() != 4 || corners[0] >= corners[2] || corners[1] >= corners[3])
        refuse("--box", text, kWhat);
    return {corners[0], corners[1], corners[2], corners[3]};
}

std::int64_t pixelCountFrom(std::string_view text) {
    if (text == "native")
        return kNativePixels;
    const bool millions = !text.empty() && text.back() == 'M';
    const auto number = numberFrom(millions ? text.substr(0, text.size() - 1) : text);
    const double pixels = number.value_or(0) * (millions ? 1e6 : 1);
    if (pixels < 1024 || pixels > static_cast<double>(kMostPixels) + 0.5)
        refuse(
            "--pixels", text, "a number of pixels from 1024 to 8388608, such as 0.5M, or native");
    return static_cast<std::int64_t>(pixels);
}

namespace {

void configure(RunSettings& settings, std::string_view key, std::string_view value) {
    constexpr std::string_view kOnOff = "on or off";
    if (key == "attention") {
        const auto path = attentionPathFrom(value);
        if (!path)
            refuse("--config", value,
                "auto, mha, sdpa, flash or ring, or a setting such as kv-cache=off");
        settings.attention = *path;
    } else if (key == "ring-devices") {
        std::string devices(value);
        std::replace(devices.begin(), devices.end(), '+', ',');
        settings.ringDevices = checkedRingDevices(ringDevicesFrom(devices));
    } else if (key == "kv-cache") {
        const auto mode = kvCacheModeFrom(value);
        if (!mode)
            refuse("--config kv-cache", value, kOnOff);
        settings.kvCache = *mode;
    } else if (key == "mask-pass") {
        const auto pass = maskPassFrom(value);
        if (!pass)
            refuse("--config mask-pass", value, "stream or batch");
        settings.maskPass = *pass;
    } else if (key == "dtype") {
        settings.precision = precisionArgumentFrom(value);
    } else if (key == "pixels") {
        settings.pixels = pixelCountFrom(value);
    } else if (key == "threads") {
        const double threads = numberFrom(value).value_or(0);
        if (threads < 1 || threads > 1024 || threads != std::floor(threads))
            refuse("--config threads", value, "a whole number from 1 to 1024");
        settings.threads = static_cast<int>(threads);
    } else if (key == "memory-limit") {
        settings.memoryLimit = byteCountFrom(value, "--config memory-limit");
    } else if (key == "preflight") {
        if (value != "on" && value != "off")
            refuse("--config preflight", value, kOnOff);
        settings.preflight = value == "on" ? Preflight::On : Preflight::Off;
    } else {
        refuse("--config", key,
            "attention, ring-devices, kv-cache, mask-pass, dtype, pixels, threads, memory-limit or "
            "preflight "
            "before the \"=\"");
    }
}

} // namespace

RunSettings configurationFrom(std::string_view text, const RunSettings& base) {
    RunSettings settings = base;
    for (const std::string_view part : splitAtCommas(text)) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            configure(settings, "attention", part);
        else
            configure(settings, part.substr(0, equals), part.substr(equals + 1));
    }
    return settings;
}

CLI::Validator notEmpty() {
    return {[](const std::string& text) { return text.empty() ? "is given empty" : ""; }, ""};
}

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
    return {[=](const std::string& text) -> std::string {
                std::uint64_t number = 0;
                const char* end = text.data() + text.size();
                const auto [rest, error] = std::from_chars(text.data(), end, number);
                if (error == std::errc{} && rest == end && number >= least && number <= most)
                    return "";
                return "cannot be \"" + text + "\": give a whole number from "
                    + std::to_string(least) + " to " + std::to_string(most);
            },
        ""};
}

AttentionPath attentionFrom(std::string_view text) {
    if (const auto path = attentionPathFrom(text))
        return *path;
    refuse("--attention", text, "auto, mha, sdpa, flash or ring");
}

Precision precisionArgumentFrom(std::string_view text) {
    if (const auto precision = precisionFrom(text))
        return *precision;
    refuse("--dtype", text, "auto, fp32, bf16 or fp16");
}

} // namespace maskscope
