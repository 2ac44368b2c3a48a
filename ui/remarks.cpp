// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/remarks.h"

#include "core/engine/size_remark.h"
#include "ui/convert.h"

#include <QCoreApplication>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Remarks)
};

} // namespace

QStringList remarksOn(const Report& report, std::int64_t trainingPixels, int firstNumber) {
    QStringList remarks;
    const bool cancelled = report.outcome == Outcome::Cancelled;
    if (cancelled)
        remarks += Text::tr("Stopped. What was there is kept.");
    for (std::size_t i = 0; i < report.masks.size(); ++i)
        if (report.masks[i]->area == 0)
            remarks += Text::tr("Mask %1 is empty: the answer names it, but no pixel is above the "
                                "threshold.")
                           .arg(firstNumber + static_cast<int>(i));
    if (report.candidates.size() > 1)
        remarks += Text::tr("This click may mean %1 things. Ctrl+M shows the next.")
                       .arg(report.candidates.size());
    if (!cancelled && report.masks.empty())
        remarks += Text::tr("Nothing was marked. Try other words, or click the object.");
    if (const std::string size = sizeRemark(report.patches, trainingPixels); !size.empty())
        remarks += toQString(size);
    return remarks;
}

NextStep nextStepFor(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::Usage:
        return NextStep::EditRequest;
    case ErrorKind::Input:
        return NextStep::OpenAnother;
    case ErrorKind::Memory:
        return NextStep::LowerMemory;
    case ErrorKind::Device:
        return NextStep::AutomaticAttention;
    case ErrorKind::Model:
    case ErrorKind::Internal:
        break;
    }
    return NextStep::None;
}

QString titleOf(NextStep step) {
    switch (step) {
    case NextStep::OpenAnother:
        return Text::tr("Open another…");
    case NextStep::LowerMemory:
        return Text::tr("Run settings");
    case NextStep::AutomaticAttention:
        return Text::tr("Use automatic attention");
    case NextStep::EditRequest:
        return Text::tr("Edit the request");
    case NextStep::None:
        break;
    }
    return {};
}

} // namespace maskscope
