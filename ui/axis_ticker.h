// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph_axis.h"
#include "ui/plot.h"

#include <algorithm>
#include <cmath>

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
        GraphAxis axis = bytesAxis(range.size() / kAxisAir, m_wantedMarks);
        axis.lower = range.lower;
        axis.upper = range.upper;
        return axis;
    }

    Unit m_unit;
    int m_wantedMarks;
};

/// Marks of bytes on a logarithmic axis: powers of two, evenly apart.
class LogBytesTicker : public QCPAxisTicker {
public:
    void setWantedMarks(int marks) { m_wantedMarks = marks; }

protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        QVector<double> marks;
        if (range.lower <= 0)
            return marks;
        const int first = static_cast<int>(std::ceil(std::log2(range.lower)));
        const int last = static_cast<int>(std::floor(std::log2(range.upper)));
        const int step = std::max(1, (last - first + m_wantedMarks) / std::max(1, m_wantedMarks));
        for (int power = first; power <= last; power += step)
            marks.append(std::exp2(power));
        return marks;
    }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override {
        return byteMarkText(tick);
    }

    int getSubTickCount(double) override { return 0; }

private:
    int m_wantedMarks = 5;
};

} // namespace maskscope
