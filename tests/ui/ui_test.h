// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/image/image.h"

#include <QImage>
#include <QRegularExpression>
#include <QTest>
#include <filesystem>

namespace maskscope {

/// Base of all tests of the window: whatever Qt warns of fails the test that runs.
class UiTest : public QObject {
    Q_OBJECT
protected Q_SLOTS:
    void init() {
        // The offscreen platform itself says that it has no window manager.
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support).*")));
    }
};

/// The child of that name, which has to be there.
template <class T>
T& childNamed(const QObject& parent, const char* name) {
    T* child = parent.findChild<T*>(QString::fromLatin1(name));
    if (child == nullptr)
        qFatal("there is no %s", name);
    return *child;
}

/// A picture whose pixel (x, y) is (x mod 256, y mod 256, 128).
inline Image gradient(int width, int height) {
    Image image;
    image.width = width;
    image.height = height;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : {x, y, 128})
                image.rgb.push_back(static_cast<std::uint8_t>(value));
    return image;
}

} // namespace maskscope
