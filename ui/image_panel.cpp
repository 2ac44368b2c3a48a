// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image_panel.h"

#include "ui/icons.h"
#include "ui/image_delegate.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace maskscope {

ImagePanel::ImagePanel(OpenImages& images, QWidget* parent)
    : QWidget(parent)
    , m_images(images)
    , m_head(new QLabel(this))
    , m_stop(new QPushButton(icon(QStringLiteral("stop")), tr("Stop"), this))
    , m_list(new QListView(this)) {
    m_head->setObjectName(QStringLiteral("imageHead"));
    m_stop->setObjectName(QStringLiteral("scanStop"));
    m_stop->setToolTip(tr("Look through no more folders; what was found stays"));
    m_list->setObjectName(QStringLiteral("imageList"));
    m_list->setAccessibleName(tr("Images"));
    m_list->setModel(&images.model());
    m_list->setItemDelegate(new ImageDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFrameShape(QFrame::NoFrame);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 4, 4, 4);
    head->addWidget(m_head, 1);
    head->addWidget(m_stop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_list, 1);

    connect(m_stop, &QPushButton::clicked, this, &ImagePanel::stopRequested);
    connect(&images, &OpenImages::currentChanged, this, &ImagePanel::showCurrent);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            if (current.isValid() && current.row() != m_images.current())
                m_images.show(current.row());
        });
    setScanning(false);
}

void ImagePanel::setScanning(bool scanning) {
    m_scanning = scanning;
    m_stop->setVisible(scanning);
    showHead();
}

void ImagePanel::showCurrent() {
    const auto row = m_images.current();
    const QModelIndex index = row ? m_images.model().index(*row) : QModelIndex();
    if (index != m_list->currentIndex())
        m_list->selectionModel()->setCurrentIndex(index,
            index.isValid() ? QItemSelectionModel::ClearAndSelect : QItemSelectionModel::Clear);
    showHead();
}

void ImagePanel::showHead() {
    const QLocale locale;
    const int count = m_images.model().rowCount();
    if (m_scanning)
        m_head->setText(tr("Looking… %1 found").arg(locale.toString(count)));
    else if (m_images.current())
        m_head->setText(
            tr("%1 of %2").arg(locale.toString(*m_images.current() + 1), locale.toString(count)));
    else
        m_head->setText(count == 0 ? tr("No image is open") : tr("%1 images").arg(count));
}

} // namespace maskscope
