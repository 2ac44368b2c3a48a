// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph_axis.h"
#include "ui/plot.h"

namespace maskscope {

/// Puts the marks of a GraphAxis on an axis of the plot.
class AxisTicker : public QCPAxisTicker {
public:
    enum class Unit { Bytes, Time };

    AxisTicker(Unit unit, int wantedMarks)
        : m_unit(unit)
        , m_wantedMarks(wantedMarks) { }

    void setWantedMarks(int marks) { m_wantedMarks = marks; }

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        const GraphAxis axis = m_unit == Unit::Bytes
            ? bytesMarks(range)
            : timeAxis(range.lower, range.upper, m_wantedMarks);
        const std::vector<double> marks = axis.marks();
        return {marks.begin(), marks.end()};
    }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return m_unit == Unit::Bytes ? byteMarkText(tick) : timeMarkText(tick);
    }

    int getSubTickCount(double) override { return 0; }

private:
    GraphAxis bytesMarks(const QCPRange& range) const {
        GraphAxis axis = bytesAxis(range.upper / kAxisAir, m_wantedMarks);
        axis.lower = range.lower;
        return axis;
    }

    Unit m_unit;
    int m_wantedMarks;
};

} // namespace maskscope
