// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/command_text.h"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace maskscope {

namespace {

/// As a shell takes it for one word.
std::string quoted(const std::string& text) {
    constexpr std::string_view kPlain
        = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,=+:@%-";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos)
        return text;
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + '\'';
}

/// What `--config` takes: the path, and every setting that is not as it is without it.
std::string configurationOf(const RunSettings& settings) {
    const RunSettings usual;
    std::ostringstream text;
    text << nameOf(settings.attention);
    for (std::size_t i = 0; i < settings.ringDevices.size(); ++i)
        text << (i == 0 ? ",ring-devices=" : "+") << settings.ringDevices[i];
    if (settings.kvCache != usual.kvCache)
        text << ",kv-cache=" << nameOf(settings.kvCache);
    if (settings.maskPass != usual.maskPass)
        text << ",mask-pass=" << nameOf(settings.maskPass);
    if (settings.precision != usual.precision)
        text << ",dtype=" << nameOf(settings.precision);
    if (settings.pixels == kNativePixels)
        text << ",pixels=native";
    else if (settings.pixels != usual.pixels)
        text << ",pixels=" << settings.pixels;
    if (settings.threads != usual.threads)
        text << ",threads=" << settings.threads;
    if (settings.memoryLimit)
        text << ",memory-limit=" << *settings.memoryLimit;
    if (settings.preflight != usual.preflight)
        text << ",preflight=off";
    return text.str();
}

void writeQuestion(std::ostream& out, const RunHeader& header) {
    if (!header.text.empty())
        out << " -p " << quoted(header.text);
    for (const PointPrompt& point : header.points)
        out << " --point " << point.x << ',' << point.y
            << (point.sign == PointSign::Negative ? ",-" : "");
    for (const BoxPrompt& box : header.boxes)
        out << " --box " << box.x0 << ',' << box.y0 << ',' << box.x1 << ',' << box.y1;
    if (header.meaning != 0)
        out << " --meaning " << header.meaning;
}

void writeSampling(std::ostream& out, const RunSettings& settings) {
    const RunSettings usual;
    if (settings.maxNewTokens != usual.maxNewTokens)
        out << " --max-new-tokens " << settings.maxNewTokens;
    const Sampling& sampling = settings.sampling;
    if (sampling.temperature == 0)
        return; // greedy: nothing is drawn
    out << " --temperature " << sampling.temperature << " --top-k " << sampling.topK << " --top-p "
        << sampling.topP;
    if (sampling.seed)
        out << " --seed " << *sampling.seed;
}

bool sameQuestion(const RunHeader& a, const RunHeader& b) {
    const auto of = [](const RunHeader& header) {
        return std::tie(
            header.image.path, header.text, header.points, header.boxes, header.meaning);
    };
    return of(a) == of(b) && a.settings.maxNewTokens == b.settings.maxNewTokens;
}

} // namespace

std::string commandOf(const std::vector<ComparedRuns>& compared) {
    const RunHeader& first = compared.front().header;
    if (!std::ranges::all_of(
            compared, [&](const ComparedRuns& runs) { return sameQuestion(first, runs.header); }))
        return {};
    std::ostringstream out;
    out.precision(15);
    out << "maskscope-cli compare " << quoted(first.image.path);
    writeQuestion(out, first);
    for (const ComparedRuns& runs : compared)
        out << " --config " << quoted(configurationOf(runs.header.settings));
    writeSampling(out, first.settings);
    if (first.device != RunHeader().device)
        out << " --device " << quoted(first.device);
    if (!first.modelFolder.empty())
        out << " --model " << quoted(first.modelFolder);
    if (compared.front().runs.size() > 1)
        out << " --repeats " << compared.front().runs.size();
    return out.str();
}

} // namespace maskscope
