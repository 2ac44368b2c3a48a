// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/capability_sheet.h"

#include "ui/colours.h"
#include "ui/convert.h"

#include <QCoreApplication>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(CapabilitySheet)
};

using Align = FigureSheet::Align;

QString yesOrNo(bool yes) {
    return yes ? Text::tr("yes") : Text::tr("no");
}

QColor colourOf(AttentionPath path) {
    const auto layer = layerPathFrom(nameOf(path));
    return layer ? maskscope::colourOf(*layer) : QColor();
}

} // namespace

FigureSheet capabilitySheet(const std::vector<AttentionCapability>& paths) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Path")}, {Text::tr("Available"), {}, Align::Left},
        {Text::tr("Holds P × P"),
            Text::tr("Whether it holds a matrix of patches × patches for every head"), Align::Left},
        {Text::tr("Returns LSE"),
            Text::tr("The logarithm of the sum of exponentials of every row, by which parts of an "
                     "attention can be put together"),
            Align::Left},
        {Text::tr("Padding"), Text::tr("What becomes of the padding's mask"), Align::Left},
        {Text::tr("Precisions"), {}, Align::Left}, {Text::tr("Devices"), {}, Align::Left},
        {Text::tr("Why not"), {}, Align::Left}};
    for (const AttentionCapability& path : paths) {
        QStringList precisions, devices;
        for (const Precision precision : path.precisions)
            precisions += toQString(nameOf(precision));
        for (const std::string& device : path.devices)
            devices += toQString(device);
        sheet.rows.push_back({{toQString(nameOf(path.path)), yesOrNo(path.available),
                                  yesOrNo(path.materialises), yesOrNo(path.returnsLse),
                                  toQString(path.padding), precisions.join(QStringLiteral(", ")),
                                  devices.join(QStringLiteral(", ")), toQString(path.reason)},
            colourOf(path.path)});
    }
    return sheet;
}

} // namespace maskscope
