// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/report_html.h"

#include "core/base/base64.h"
#include "core/compare/figures_table.h"
#include "core/compare/memory_drawing.h"
#include "core/compare/memory_note.h"
#include "core/compare/result_pictures.h"
#include "core/image/png_writer.h"

#include <sstream>

namespace maskscope {

namespace {

constexpr int kMostSide = 900; ///< pixels of a picture in the report

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Maskscope: comparison</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;color:#1b1b1b;background:#f6f6f4;margin:0}
main{max-width:980px;margin:0 auto;padding:24px}
h1{font-size:24px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 10px}
p.quiet{color:#555;margin:4px 0}
table{border-collapse:collapse;width:100%;background:#fff}
th,td{border:1px solid #ddd;padding:6px 10px;text-align:left;vertical-align:top}
thead th{background:#ececea}
figure{margin:0 0 16px;background:#fff;border:1px solid #ddd;padding:12px}
figure svg,figure img{width:100%;height:auto;display:block}
figcaption{color:#555;margin-top:8px}
.slider{position:relative;--x:50%}
.slider .over{position:absolute;inset:0;clip-path:inset(0 0 0 var(--x))}
.slider .bar{position:absolute;top:0;bottom:0;left:var(--x);width:2px;background:#fff;box-shadow:0 0 3px #000}
input[type=range]{width:100%;margin:10px 0 0}
.identical,.rounding{border-left:4px solid #009e73;padding-left:10px}
.real{border-left:4px solid #d55e00;padding-left:10px}
.incomplete,.unrelated{border-left:4px solid #999;padding-left:10px}
p.headline{font-size:17px;margin:14px 0}
@media (prefers-color-scheme:dark){
body{background:#1d1d1f;color:#e6e6e6}p.quiet,figcaption{color:#aaa}
table{background:#28282a}th,td{border-color:#444}thead th{background:#333}
figure{background:#fff;border-color:#444}figure figcaption{color:#555}}
@media print{body{background:#fff;color:#000}}
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
    out << "<table><thead><tr><th></th>";
    for (const std::string& column : table.columns)
        out << "<th>" << escaped(column) << "</th>";
    out << "</tr></thead><tbody>\n";
    for (const FiguresTable::Row& row : table.rows) {
        out << "<tr><th>" << escaped(row.name) << "</th>";
        for (const std::string& cell : row.cells)
            out << "<td>" << escaped(cell) << "</td>";
        out << "</tr>\n";
    }
    out << "</tbody></table>\n";
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
        << "<div class=\"bar\"></div></div>"
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
    out << kHead << "<h1>Maskscope: comparison</h1>\n";
    if (!past)
        out << "<p class=\"quiet\">" << escaped(compared.front().first().header.started)
            << "</p>\n";
    for (const std::string& line : circumstancesOf(compared))
        out << "<p class=\"quiet\">" << escaped(line) << "</p>\n";
    for (const std::string& line : requestsOf(compared))
        out << "<p><b>" << escaped(line) << "</b></p>\n";
    for (const std::string& note : memoryNotesOf(compared))
        out << "<p class=\"headline\">" << escaped(note) << "</p>\n";
    for (const std::string& failure : failuresOf(compared))
        out << "<p class=\"headline real\">" << escaped(failure) << "</p>\n";
    out << "<h2>Are the results the same?</h2>\n";
    writeComparisons(out, compared, comparisons, PairKind::Wiring,
        "The same computation, which must agree to the bit:");
    writeComparisons(out, compared, comparisons, PairKind::Path,
        "The same mathematics in another order, where rounding may differ:");
    writeComparisons(out, compared, comparisons, PairKind::Input,
        "Another precision, size or input, where results may really differ:");
    writeComparisons(out, compared, comparisons, PairKind::Unknown, "Without a result:");
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
    out << "</main></body></html>\n";
    return out.str();
}

} // namespace maskscope
