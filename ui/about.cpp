// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/about.h"

#include "ui/icons.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <array>

namespace maskscope {

namespace {

struct Library {
    const char* name;
    const char* licence;
};

constexpr std::array kLibraries{
    Library{"Qt " QT_VERSION_STR, "LGPL-3.0"},
    Library{"QCustomPlot", "GPL-3.0-or-later"},
    Library{"LibTorch", "BSD-3-Clause"},
    Library{"OpenCV", "Apache-2.0"},
    Library{"Exiv2", "GPL-2.0-or-later"},
    Library{"giflib", "MIT"},
    Library{"PCRE2", "BSD-3-Clause"},
    Library{"JSON for Modern C++", "MIT"},
    Library{"SQLite", "public domain"},
    Library{"zlib", "Zlib"},
};

QLabel* plain(const QString& text) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

AboutDialog::AboutDialog(QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("About Maskscope"));
    auto* picture = new QLabel;
    picture->setPixmap(applicationIcon().pixmap(QSize(64, 64), devicePixelRatioF()));
    auto* name = plain(tr("Maskscope %1").arg(QStringLiteral(MASKSCOPE_VERSION)));
    QFont large = name->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    name->setFont(large);
    auto* text = plain(tr("Interactive segmentation by words, clicks and boxes, with memory drawn "
                          "live.\n\nFree software under the GNU General Public License, version 3 "
                          "or later. It comes with no warranty."));
    text->setWordWrap(true);
    text->setFixedWidth(400);

    auto* libraries = new QGridLayout;
    libraries->setHorizontalSpacing(24);
    libraries->setVerticalSpacing(4);
    libraries->addWidget(plain(tr("It stands on:")), 0, 0, 1, 2);
    int row = 1;
    for (const Library& library : kLibraries) {
        libraries->addWidget(plain(QString::fromLatin1(library.name)), row, 0);
        libraries->addWidget(plain(QString::fromLatin1(library.licence)), row++, 1);
    }
    libraries->setColumnStretch(1, 1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* column = new QVBoxLayout;
    column->addWidget(name);
    column->addWidget(text);
    column->addSpacing(8);
    column->addLayout(libraries);
    column->addSpacing(8);
    column->addWidget(buttons);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(18);
    layout->addWidget(picture, 0, Qt::AlignTop);
    layout->addLayout(column);
    layout->setSizeConstraint(QLayout::SetFixedSize);
}

} // namespace maskscope
