// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <QTableWidget>
#include <vector>

namespace maskscope {

/// What a table says, as text.
struct FigureSheet {
    enum class Align { Left, Right };
    struct Column {
        QString title;
        QString tip = {};
        Align align = Align::Right; ///< the first column is always left
    };
    struct Row {
        QStringList cells;
        QColor colour = {}; ///< of a mark before the first cell; none where not valid
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Shows a FigureSheet. Ctrl+C copies what is selected, or all,
/// for a spreadsheet.
class FigureTable : public QTableWidget {
    Q_OBJECT
public:
    /// `name` is told to screen readers.
    explicit FigureTable(const QString& name, QWidget* parent = nullptr);

    void setSheet(const FigureSheet& sheet);
    /// With tabs and line breaks.
    QString copyText() const;

    QSize sizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void setCell(int row, int column, const QString& text);
    Qt::Alignment alignmentOf(int column) const;

    std::vector<FigureSheet::Column> m_columns;
};

} // namespace maskscope
