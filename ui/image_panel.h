// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/open_images.h"

#include <QWidget>

class QLabel;
class QListView;
class QPushButton;

namespace maskscope {

/// The list of the images that are open, and above it which one is shown or, while folders are
/// looked through, how many were found so far.
class ImagePanel : public QWidget {
    Q_OBJECT
public:
    explicit ImagePanel(OpenImages& images, QWidget* parent = nullptr);

    /// Where the keys of the list belong.
    QListView& list() { return *m_list; }
    void setScanning(bool scanning);

    QSize sizeHint() const override { return {230, 300}; }

Q_SIGNALS:
    void stopRequested();

private:
    void showCurrent();
    void showHead();

    OpenImages& m_images;
    bool m_scanning = false;
    QLabel* m_head;
    QPushButton* m_stop;
    QListView* m_list;
};

} // namespace maskscope
