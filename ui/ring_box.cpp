// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ring_box.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

namespace maskscope {

namespace {

constexpr int kLeast = 2;
constexpr int kMost = 8;
constexpr std::int64_t kLeastPatches = 64;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RingBox)
};

} // namespace

RingBox::RingBox(QWidget* parent)
    : QSpinBox(parent) {
    setRange(kLeast, kMost);
    setSuffix(tr(" ranks on the CPU"));
    setAccessibleName(tr("Ranks of the ring"));
    setToolTip(tr("Each rank attends to its share of the patches with its share of the threads; "
                  "keys and values travel round the ring"));
}

std::vector<std::string> RingBox::devices() const {
    return std::vector<std::string>(static_cast<std::size_t>(value()), "cpu");
}

void RingBox::setDevices(const std::vector<std::string>& devices) {
    setValue(std::max(kLeast, static_cast<int>(devices.size())));
}

QString tooFewForRing(std::int64_t patches) {
    if (patches >= kLeastPatches)
        return {};
    return Text::tr("An image of this size has about %1 patches, too few to share: attention among "
                    "them takes a fraction of a MiB on one device. Choose a greater image size.")
        .arg(QLocale(QLocale::English).toString(qlonglong(patches)));
}

} // namespace maskscope
