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
    /// Figures, those that stand out, those that are only there to be seen as not holding, or the
    /// title of the rows that follow: its first cell goes over all columns.
    enum class Kind { Figures, Outstanding, Aside, Heading };
    struct Row {
        QStringList cells;
        QColor colour = {}; ///< of a mark before the first cell; none where not valid
        Kind kind = Kind::Figures;
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// Shows a FigureSheet over the whole width. Ctrl+C copies what is selected, or all, for a
/// spreadsheet.
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
    void resizeEvent(QResizeEvent* event) override;

private:
    void setCell(int row, int column, const QString& text);
    void showKind(int row, FigureSheet::Kind kind);
    int widthOf(int column, const FigureSheet& sheet) const;
    /// Each column as wide as its text, and what is left shared out.
    void spread();
    Qt::Alignment alignmentOf(int column) const;

    std::vector<FigureSheet::Column> m_columns;
    std::vector<int> m_widths; ///< that the columns' texts take
};

} // namespace maskscope
