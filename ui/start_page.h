// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/background.h"
#include "ui/examples.h"
#include "ui/image_loader.h"

#include <QAbstractButton>
#include <QPixmap>
#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace maskscope {

/// An example as a picture with its request below; a button like any other.
class ExampleCard : public QAbstractButton {
    Q_OBJECT
public:
    ExampleCard(const Example& example, QWidget* parent);

    void setThumbnail(const QImage& thumbnail);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QImage m_thumbnail;
};

/// What the window shows before an image is open: how to open one, examples, recent files.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(ImageReader reader, QWidget* parent = nullptr);

    void setExamples(const std::vector<Example>& examples);
    void setRecentFiles(const QStringList& files);

Q_SIGNALS:
    void openRequested();
    void folderRequested();
    void exampleChosen(const maskscope::Example& example);
    void recentChosen(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Puts the cards into as many columns as fit.
    void arrangeCards();
    QLabel* makeHeading(const QString& text);

    ImageReader m_reader;
    QLabel* m_examplesHeading;
    std::vector<ExampleCard*> m_cards;
    QGridLayout* m_cardGrid;
    QLabel* m_recentHeading;
    QVBoxLayout* m_recent;
    Background m_background; // last: its thread uses the reader
};

} // namespace maskscope
