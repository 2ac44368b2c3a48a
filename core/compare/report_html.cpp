// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/report_html.h"

#include "core/base/base64.h"
#include "core/base/bytes.h"
#include "core/base/utf8.h"
#include "core/compare/command_text.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_drawing.h"
#include "core/compare/memory_note.h"
#include "core/compare/result_pictures.h"
#include "core/history/run_summary.h"
#include "core/image/png_writer.h"

#include <algorithm>
#include <functional>
#include <sstream>

namespace maskscope {

namespace {

constexpr int kMostSide = 900; ///< pixels of a picture in the report

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)";

constexpr std::string_view kStyle = R"(<style>
:root{--ink:#1b1b1b;--page:#f6f6f4;--sheet:#fff;--line:#ddd;--head:#ececea;--quiet:#555;--most:#fff3d6}
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e6;--page:#1d1d1f;--sheet:#28282a;--line:#444;--head:#333335;--quiet:#aaa;--most:#4a3d1c}}
@media print{:root{--ink:#000;--page:#fff;--sheet:#fff;--line:#ccc;--head:#eee;--quiet:#444;--most:#eee}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);margin:0}
main{max-width:980px;margin:0 auto;padding:24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 10px}
p.quiet{color:var(--quiet);margin:4px 0}
p.headline{font-size:18px;margin:14px 0}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;background:var(--sheet)}
th,td{border:1px solid var(--line);padding:6px 10px;text-align:left;vertical-align:top}
thead th{background:var(--head)}
tr.most th,tr.most td{background:var(--most);font-weight:bold}
table.bars{border:0;background:none}table.bars th,table.bars td{border:0;padding:3px 10px 3px 0}
table.bars th{font-weight:normal;width:26%}
.bar{display:inline-block;height:15px;min-width:2px;background:#0072b2;vertical-align:-2px;margin-right:8px}
.bar.first{background:#d55e00}
pre{background:var(--sheet);border:1px solid var(--line);padding:10px;white-space:pre-wrap;overflow-wrap:anywhere}
figure{margin:0 0 16px;background:var(--sheet);border:1px solid var(--line);padding:12px}
figure svg,figure img{width:100%;height:auto;display:block}
figcaption{color:var(--quiet);margin-top:8px}
.slider{position:relative;--x:50%}
.slider .over{position:absolute;inset:0;clip-path:inset(0 0 0 var(--x))}
.slider .divider{position:absolute;top:0;bottom:0;left:var(--x);width:2px;background:#fff;box-shadow:0 0 3px #000}
input[type=range]{width:100%;margin:10px 0 0}
.identical,.rounding{border-left:4px solid #009e73;padding-left:10px}
.real{border-left:4px solid #d55e00;padding-left:10px}
.incomplete,.unrelated{border-left:4px solid #999;padding-left:10px}
</style></head><body><main>
)";

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text)
        switch (c) {
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '&':
            safe += "&amp;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe += c;
        }
    return safe;
}

std::string imageElement(const Image& image, const std::string& kind, const std::string& alt) {
    return "<img class=\"" + kind + "\" alt=\"" + escaped(alt) + "\" src=\"data:image/png;base64,"
        + base64(encodeRgbPng(image.width, image.height, image.rgb)) + "\">";
}

void writeTable(std::ostream& out, const FiguresTable& table) {
    out << "<div class=\"wide\"><table><thead><tr><th></th>";
    for (const std::string& column : table.columns)
        out << "<th>" << escaped(column) << "</th>";
    out << "</tr></thead><tbody>\n";
    for (const FiguresTable::Row& row : table.rows) {
        out << (row.outstanding ? "<tr class=\"most\"><th>" : "<tr><th>") << escaped(row.name)
            << "</th>";
        for (const std::string& cell : row.cells)
            out << "<td>" << escaped(cell) << "</td>";
        out << "</tr>\n";
    }
    out << "</tbody></table></div>\n";
}

/// What all were asked is what a tab of a browser is known by.
std::string headingOf(const std::vector<ComparedRuns>& compared) {
    constexpr std::size_t kMostBytes = 120;
    const auto requestOf
        = [](const ComparedRuns& runs) { return requestText(summaryOf(runs.first())); };
    const std::string request = requestOf(compared.front());
    const bool same = std::ranges::all_of(
        compared, [&](const ComparedRuns& runs) { return requestOf(runs) == request; });
    return "Maskscope: comparison"
        + (same && !request.empty() ? " for " + printable(request, kMostBytes) : "");
}

/// A bar for each run that has the figure, on one scale.
void writeBars(std::ostream& out, const std::string& heading,
    const std::vector<ComparedRuns>& compared,
    const std::function<std::int64_t(const RunRecord&)>& of) {
    constexpr double kWidest = 60; // percent of the row: the figure stands behind it
    std::int64_t most = 0;
    for (const ComparedRuns& runs : compared)
        most = std::max(most, of(runs.first()));
    if (most <= 0)
        return;
    out << "<p class=\"quiet\">" << heading << "</p>\n<table class=\"bars\"><tbody>\n";
    for (const ComparedRuns& runs : compared)
        if (const std::int64_t bytes = of(runs.first()); bytes > 0)
            out << "<tr><th>" << escaped(runs.header.title) << "</th><td><span class=\""
                << (&runs == &compared.front() ? "bar first" : "bar")
                << "\" style=\"width:" << kWidest * double(bytes) / double(most) << "%\"></span>"
                << bytesText(bytes, 2) << "</td></tr>\n";
    out << "</tbody></table>\n";
}

/// What a reader wants to know first: how memory and time differ.
void writeStory(std::ostream& out, const std::vector<ComparedRuns>& compared) {
    for (const std::string& note : memoryNotesOf(compared))
        out << "<p class=\"headline\">" << escaped(note) << "</p>\n";
    for (const std::string& failure : failuresOf(compared))
        out << "<p class=\"headline real\">" << escaped(failure) << "</p>\n";
    if (const auto change = largestChange(compared[0].first(), compared[1].first()))
        writeBars(out, "Extra peak of the stage " + std::string(nameOf(change->stage)), compared,
            [&](const RunRecord& run) -> std::int64_t {
                const Report* report = reportOf(run);
                return report && report->extraPeakBytes.contains(change->stage)
                    ? report->extraPeakBytes.at(change->stage)
                    : 0;
            });
    writeBars(out, "Peak of the whole run above its start", compared, extraPeakOf);
}

void writeComparisons(std::ostream& out, const std::vector<ComparedRuns>& compared,
    const std::vector<Comparison>& comparisons, PairKind kind, const char* heading) {
    bool headed = false;
    for (std::size_t i = 0; i < comparisons.size(); ++i)
        if (comparisons[i].kind == kind) {
            if (!std::exchange(headed, true))
                out << "<p class=\"quiet\">" << heading << "</p>\n";
            out << "<p class=\"" << nameOf(comparisons[i].verdict) << "\"><b>"
                << escaped(compared[i + 1].header.title) << " against "
                << escaped(compared.front().header.title) << "</b><br>"
                << escaped(comparisons[i].sentence) << "</p>\n";
        }
}

void writePictures(
    std::ostream& out, const ComparedRuns& first, const ComparedRuns& second, const Image& image) {
    const std::string a = first.header.title, b = second.header.title;
    const std::string& ofFirst = first.first().header.image.digest;
    const std::string& ofSecond = second.first().header.image.digest;
    // A run that failed early did not come so far as to know it.
    if (!ofFirst.empty() && !ofSecond.empty() && ofFirst != ofSecond) {
        out << "<p class=\"quiet\">" << escaped(a) << " and " << escaped(b)
            << " looked at different pictures, which cannot be laid over each other.</p>\n";
        return;
    }
    out << "<figure><div class=\"slider\">"
        << imageElement(resultPicture(image, first.first(), kMostSide), "under", a)
        << imageElement(resultPicture(image, second.first(), kMostSide), "over", b)
        << "<div class=\"divider\"></div></div>"
           "<input type=\"range\" min=\"0\" max=\"100\" value=\"50\" aria-label=\"Divider\""
           " oninput=\"this.parentNode.querySelector('.slider').style"
           ".setProperty('--x',this.value+'%')\">"
        << "<figcaption>Left of the divider: " << escaped(a) << ". Right: " << escaped(b)
        << ".</figcaption></figure>\n<figure>"
        << imageElement(differencePicture(image, first.first(), second.first(), kMostSide),
               "difference", "What differs")
        << "<figcaption>What differs: orange is in " << escaped(a) << " only, blue in "
        << escaped(b) << " only.</figcaption></figure>\n";
}

void writeAnswers(std::ostream& out, const std::vector<ComparedRuns>& compared) {
    if (requestsOf(compared).empty())
        return;
    out << "<table><tbody>\n";
    for (const ComparedRuns& runs : compared)
        if (const Report* report = reportOf(runs.first()))
            out << "<tr><th>" << escaped(runs.header.title) << "</th><td>"
                << escaped(report->answer) << "</td></tr>\n";
    out << "</tbody></table>\n";
}

} // namespace

std::string htmlReport(const std::vector<ComparedRuns>& compared, const Image& image) {
    const std::vector<Comparison> comparisons = comparisonsOf(compared);
    const bool past = compared.front().origin == RunOrigin::Past;
    std::ostringstream out;
    const std::string heading = escaped(headingOf(compared));
    out << kHead << "<title>" << heading << "</title>\n"
        << kStyle << "<h1>" << heading << "</h1>\n";
    if (!past)
        out << "<p class=\"quiet\">" << escaped(compared.front().first().header.started)
            << "</p>\n";
    for (const std::string& line : circumstancesOf(compared))
        out << "<p class=\"quiet\">" << escaped(line) << "</p>\n";
    for (const std::string& line : requestsOf(compared))
        out << "<p><b>" << escaped(line) << "</b></p>\n";
    writeStory(out, compared);
    out << "<h2>Are the results the same?</h2>\n";
    writeComparisons(out, compared, comparisons, PairKind::Wiring,
        "The same computation, which must agree to the bit:");
    writeComparisons(out, compared, comparisons, PairKind::Path,
        "The same mathematics in another order, where rounding may differ:");
    writeComparisons(out, compared, comparisons, PairKind::Input,
        "Another precision, size or input, where results may really differ:");
    writeComparisons(out, compared, comparisons, PairKind::Unknown, "Without a result:");
    for (const std::string& remark : remarksOf(compared))
        out << "<p>" << escaped(remark) << "</p>\n";
    out << "<h2>Figures</h2>\n";
    writeTable(out, figuresOf(compared));
    out << "<p class=\"quiet\">Extra peak: highest live tensor bytes inside the stage minus those "
           "at"
           " its start. "
        << (past ? "Past runs, each as it was kept."
                 : "Each run in a process of its own; times are the median of the repeats and"
                   " their range.")
        << "</p>\n<h2>Memory over time</h2>\n<figure>" << memoryDrawing(compared)
        << "</figure>\n<h2>Results</h2>\n";
    writeAnswers(out, compared);
    for (std::size_t i = 1; i < compared.size(); ++i)
        writePictures(out, compared.front(), compared[i], image);
    if (const std::string command = commandOf(compared); !command.empty())
        out << "<h2>To measure it again</h2>\n<pre><code>" << escaped(command) << "</code></pre>\n";
    out << "</main></body></html>\n";
    return out.str();
}

} // namespace maskscope
