// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/icons.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace maskscope {

namespace {

QByteArray sourceOf(const QString& name) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class PaletteIconEngine : public QIconEngine {
public:
    PaletteIconEngine(QByteArray svg, QPalette::ColorRole role)
        : m_svg(std::move(svg))
        , m_role(role) { }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto role = mode == QIcon::Selected ? QPalette::HighlightedText
            : mode == QIcon::Disabled             ? QPalette::ButtonText
                                                  : m_role;
        QByteArray svg = m_svg;
        svg.replace("currentColor", QApplication::palette().color(group, role).name().toLatin1());
        QSvgRenderer(svg).render(painter, rect);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new PaletteIconEngine(m_svg, m_role); }

private:
    QByteArray m_svg;
    QPalette::ColorRole m_role;
};

} // namespace

QIcon icon(const QString& name, QPalette::ColorRole role) {
    return QIcon(new PaletteIconEngine(sourceOf(name), role));
}

QIcon applicationIcon() {
    return icon(QStringLiteral("maskscope"));
}

} // namespace maskscope
