// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "core/mask/export_files.h"
#include "core/mask/mask_colour.h"
#include "core/mask/mask_outline.h"

#include <array>
#include <cstdio>

namespace maskscope {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : printable(text, text.size() * 3)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else
            out += c;
    }
    return out;
}

std::string hex(const std::array<std::uint8_t, 3>& colour) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", unsigned(colour[0]),
        unsigned(colour[1]), unsigned(colour[2]));
    return text.data();
}

// Every edge is horizontal or vertical.
std::string pathOf(const Mask& mask) {
    std::string path;
    for (const OutlineRing& ring : outlineOf(mask)) {
        Corner at = ring.front();
        path += "M" + std::to_string(at.x) + " " + std::to_string(at.y);
        for (const Corner& corner : ring) {
            if (corner.x != at.x)
                path += "H" + std::to_string(corner.x);
            if (corner.y != at.y)
                path += "V" + std::to_string(corner.y);
            at = corner;
        }
        path += "Z";
    }
    return path;
}

std::string svgOf(const MaskedPicture& picture) {
    const std::string width = std::to_string(picture.image->width);
    const std::string height = std::to_string(picture.image->height);
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\""
        + width + "\" height=\"" + height + "\" viewBox=\"0 0 " + width + " " + height + "\">\n";
    forEachMask(picture, [&](const Mask& mask, int n) {
        text += "<path id=\"mask-" + std::to_string(n) + "\" fill=\"" + hex(maskColour(n - 1))
            + "\" fill-opacity=\"0.5\" fill-rule=\"evenodd\" shape-rendering=\"crispEdges\" d=\""
            + pathOf(mask) + "\"><title>" + escaped(labelOf(mask)) + "</title></path>\n";
    });
    return text + "</svg>\n";
}

} // namespace

std::vector<ExportFile> svgFiles(const MaskedPicture& picture) {
    return {{picture.stem + ".svg", [&picture] { return bytesOf(svgOf(picture)); }}};
}

} // namespace maskscope
