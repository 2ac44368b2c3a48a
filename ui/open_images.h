// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/image_loader.h"
#include "ui/image_model.h"

#include <QObject>
#include <QStringList>
#include <memory>
#include <optional>

namespace maskscope {

/// Which images are open in the window and which of them is shown. Those before and after it are
/// read ahead.
class OpenImages : public QObject {
    Q_OBJECT
public:
    explicit OpenImages(ImageReader reader, QObject* parent = nullptr);

    ImageModel& model() { return m_model; }
    const ImageModel& model() const { return m_model; }
    /// The row of the image that is shown; none on the start page.
    std::optional<int> current() const { return m_current; }
    /// Null when there is none.
    const std::shared_ptr<const Picture>& picture() const { return m_picture; }
    /// An image is being read to be shown.
    bool isBusy() const { return m_loader.isBusy(); }

    /// Adds files and shows the first of them. One alone is added only once it can be read.
    void open(const QStringList& paths);
    void openPixels(const QImage& pixels, const QString& name);
    /// Adds files behind the others.
    void add(const QStringList& paths);
    void show(int row);
    /// The next row that can be read, or with -1 the one before.
    std::optional<int> neighbour(int step) const;
    /// Shows it, if there is one.
    void showNeighbour(int step);
    /// Takes the image that is shown out of the list and shows the one that takes its place.
    void closeCurrent();
    void closeAll();

    /// Remembers what has been done on the image that is shown.
    void keep(ImageWork work);
    /// What had been done on it when it was shown last.
    ImageWork work() const;
    /// Of that work; null on the start page.
    QUndoStack* steps() const;
    /// If it is still open and as it was when that began.
    void setExported(const Picture& picture, const ImageWork& written);
    void setState(ImageState state, const QString& reason = {});

Q_SIGNALS:
    void started(const QString& name);
    /// Another image will be shown: now is the time to keep() what has been done on this one.
    void leaving();
    /// picture() is to be shown with work(); null is the start page.
    void shown(const std::shared_ptr<const maskscope::Picture>& picture);
    void failed(const maskscope::Error& error, const QString& path);
    /// current() or what is before and after it.
    void currentChanged();

private:
    void take(const std::shared_ptr<const Picture>& picture);
    void fail(const Error& error, const QString& path);
    void showNothing();
    void readNeighboursAhead(const std::shared_ptr<const Picture>& before);

    ImageModel m_model;
    std::optional<int> m_current;
    std::shared_ptr<const Picture> m_picture;
    ImageLoader m_loader;
};

} // namespace maskscope
