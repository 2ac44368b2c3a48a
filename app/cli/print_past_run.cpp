// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/print_past_run.h"

#include "app/cli/print_report.h"
#include "app/cli/terminal.h"
#include "core/base/bytes.h"
#include "core/engine/size_remark.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <optional>

namespace maskscope {

namespace {

template <class... Columns>
void printColumns(const Columns&... columns) {
    constexpr const char* kFormat
        = "%6s  %-22s %-9.9s %-6.6s %-5.5s %3s %7s %11s %11s %10s  %-10s ";
    std::array<char, 300> line{};
    std::snprintf(line.data(), line.size(), kFormat, columns...);
    std::cout << line.data();
}

std::string peakText(const std::optional<std::int64_t>& bytes) {
    return bytes ? '+' + bytesText(*bytes) : "N/A";
}

std::string fileNameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

void print(const RunSummary& run) {
    printColumns(std::to_string(run.id).c_str(), localTimeText(run.started).c_str(),
        oneLine(run.device).c_str(), oneLine(run.attention).c_str(), oneLine(run.precision).c_str(),
        oneLine(run.kvCache).c_str(), run.patches ? std::to_string(*run.patches).c_str() : "N/A",
        peakText(run.extraPeakBytes).c_str(), peakText(run.maskPeakBytes).c_str(),
        (std::to_string(std::llround(run.totalMs)) + " ms").c_str(),
        std::string(nameOf(run.outcome)).c_str());
    std::cout << (run.title.empty() ? "" : '[' + oneLine(run.title) + "] ")
              << oneLine(requestText(run)) << " in " << oneLine(fileNameOf(run.imagePath)) << '\n';
}

void printResult(const RunRecord& record, const RunSummary& run) {
    const Report* report = reportOf(record);
    if (!report) {
        std::cout << (run.outcome == RunOutcome::Failed
                ? "failed   " + oneLine(run.error)
                : "unfinished: the program ended before the run did")
                  << '\n';
        return;
    }
    if (!report->answer.empty())
        std::cout << "answer   " << terminalText(report->answer) << '\n';
    printReport(*report, run.totalMs);
    const std::string remark = sizeRemark(report->patches, record.header.trainingPixels);
    std::cout << remark << (remark.empty() ? "" : "\n");
}

} // namespace

std::string localTimeText(const std::string& started) {
    std::tm utc{};
    const char* end = strptime(started.c_str(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (!end || *end != '\0')
        return oneLine(started); // of a history that another hand has changed
    const std::time_t time = timegm(&utc);
    std::tm local{};
    localtime_r(&time, &local);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M %Z", &local)};
}

void printPastRuns(const std::vector<RunSummary>& runs) {
    printColumns("ID", "started", "device", "attn", "dtype", "KV", "patches", "extra peak",
        "of masks", "time", "outcome");
    std::cout << "[title] request in picture\n";
    for (const RunSummary& run : runs)
        print(run);
}

void printPastRun(const RunRecord& record) {
    const RunHeader& header = record.header;
    const RunMachine& machine = header.machine;
    const RunSummary run = summaryOf(record);
    const RunSettings& asked = header.settings;
    if (!run.title.empty())
        std::cout << "title    " << oneLine(run.title) << '\n';
    std::cout << "request  " << oneLine(requestText(run)) << "\nimage    "
              << oneLine(header.image.path) << ", " << header.image.width << " x "
              << header.image.height << "\nstarted  " << localTimeText(header.started)
              << "\nmachine  " << oneLine(machine.processor)
              << (machine.processor.empty() ? "" : ", ") << "device " << oneLine(header.device)
              << ", LibTorch " << oneLine(machine.torchVersion) << " ("
              << oneLine(machine.capability) << "), " << machine.threads << " threads\nmodel    "
              << oneLine(header.modelName)
              << (header.modelDigest.empty() ? "" : " (" + oneLine(header.modelDigest) + ")")
              << ", Maskscope " << oneLine(header.programVersion) << "\nasked    attention "
              << nameOf(asked.attention) << ", KV cache " << nameOf(asked.kvCache) << ", precision "
              << nameOf(asked.precision) << "\npeak     " << peakText(run.extraPeakBytes)
              << ", in the masks " << peakText(run.maskPeakBytes) << '\n';
    printResult(record, run);
}

} // namespace maskscope
