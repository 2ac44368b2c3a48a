// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/image/image.h"
#include "ui/background.h"
#include "ui/picture.h"

#include <QImage>
#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>

namespace maskscope {

/// Reads a file; throws a Failure with the sentence for the person.
using ImageReader = std::function<Image(const std::filesystem::path&)>;

/// Opens images away from the GUI thread. The newest wins: what an older call reads is dropped.
class ImageLoader : public QObject {
    Q_OBJECT
public:
    explicit ImageLoader(ImageReader reader, QObject* parent = nullptr);

    void openFile(const QString& path);
    /// Takes pixels that came without a file (clipboard, drag from a browser).
    void openPixels(const QImage& pixels, const QString& name);
    bool isBusy() const { return m_busy; }

Q_SIGNALS:
    void started(const QString& name);
    void loaded(const std::shared_ptr<const maskscope::Picture>& picture);
    void failed(const maskscope::Error& error, const QString& path);

private:
    using Outcome = Result<std::shared_ptr<const Picture>>;
    void load(std::function<Image()> read, const QString& name, const QString& path);

    ImageReader m_reader;
    std::uint64_t m_newest = 0;
    bool m_busy = false;
    Background m_background; // last: its thread uses the reader
};

} // namespace maskscope
