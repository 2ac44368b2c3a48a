// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/anatomy_sheet.h"

#include "core/measure/anatomy_text.h"
#include "ui/colours.h"
#include "ui/convert.h"
#include "ui/graph_axis.h"
#include "ui/read_out.h"

#include <QCoreApplication>
#include <algorithm>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(AnatomySheet)
};

using Align = FigureSheet::Align;

struct Entry {
    std::int64_t bytes = 0; ///< of all copies
    FigureSheet::Row row;
};

QString share(std::int64_t bytes, std::int64_t all) {
    const double percent = all > 0 ? 100 * double(bytes) / double(all) : 0;
    return QStringLiteral("%1 %").arg(percent, 0, 'f', percent < 10 ? 1 : 0);
}

Entry entryOf(const AliveTensor& tensor, std::int64_t all) {
    const std::int64_t bytes = tensor.bytes * tensor.copies;
    const bool scratch = tensor.dtype.empty();
    return {bytes,
        {{tensor.op.empty() ? Text::tr("no operation") : toQString(tensor.op),
            scratch ? Text::tr("scratch") : toQString(shapeText(tensor)), toQString(tensor.dtype),
            QString::number(tensor.copies), sizeText(tensor.bytes), sizeText(bytes),
            share(bytes, all), toQString(tensor.module)}}};
}

} // namespace

FigureSheet anatomySheet(const Anatomy& anatomy) {
    FigureSheet sheet;
    sheet.columns = {{Text::tr("Made by"), Text::tr("The operation that took the memory")},
        {Text::tr("Shape"), {}, Align::Left}, {Text::tr("Type"), {}, Align::Left},
        {Text::tr("Count")}, {Text::tr("Bytes of one")}, {Text::tr("Bytes")},
        {Text::tr("Share"), Text::tr("Of all live tensor bytes at this moment")},
        {Text::tr("Module"), Text::tr("In which it was made, outermost first"), Align::Left}};
    std::vector<Entry> entries;
    for (const AliveTensor& tensor : anatomy.tensors)
        entries.push_back(entryOf(tensor, anatomy.peakBytes));
    for (std::size_t i = 0; i < anatomy.before.size(); ++i) {
        const std::int64_t bytes = anatomy.before.at(i);
        const auto category = static_cast<MemoryCategory>(i);
        if (bytes != 0)
            entries.push_back({bytes,
                {{Text::tr("there before the run"), titleOf(category), {}, {}, {}, sizeText(bytes),
                     share(bytes, anatomy.peakBytes), {}},
                    colourOf(category)}});
    }
    if (anatomy.unattributed != 0)
        entries.push_back({anatomy.unattributed,
            {{Text::tr("other threads"), {}, {}, {}, {}, sizeText(anatomy.unattributed),
                share(anatomy.unattributed, anatomy.peakBytes), {}}}});
    std::ranges::stable_sort(entries, std::ranges::greater{}, &Entry::bytes);
    for (Entry& entry : entries)
        sheet.rows.push_back(std::move(entry.row));
    return sheet;
}

} // namespace maskscope
