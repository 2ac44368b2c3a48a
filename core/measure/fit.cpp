// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace maskscope {

namespace {

using Row = std::vector<long double>;

/// Solves a small symmetric system by elimination with the largest pivots.
Row solve(std::vector<Row> matrix, Row right) {
    const std::size_t n = right.size();
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < n; ++row)
            if (std::fabs(matrix[row][column]) > std::fabs(matrix[pivot][column]))
                pivot = row;
        std::swap(matrix[column], matrix[pivot]);
        std::swap(right[column], right[pivot]);
        for (std::size_t row = column + 1; row < n; ++row) {
            const long double factor = matrix[row][column] / matrix[column][column];
            for (std::size_t k = column; k < n; ++k)
                matrix[row][k] -= factor * matrix[column][k];
            right[row] -= factor * right[column];
        }
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t k = row + 1; k < n; ++k)
            right[row] -= matrix[row][k] * right[k];
        right[row] /= matrix[row][row];
    }
    return right;
}

double determination(std::span<const FitPoint> points, const Fit& fit) {
    long double mean = 0;
    for (const FitPoint& point : points)
        mean += static_cast<long double>(point.bytes) / static_cast<long double>(points.size());
    long double residual = 0;
    long double total = 0;
    for (const FitPoint& point : points) {
        const auto bytes = static_cast<long double>(point.bytes);
        const long double off = bytes - fit.at(double(point.patches));
        residual += off * off;
        total += (bytes - mean) * (bytes - mean);
    }
    return total > 0 ? static_cast<double>(1 - residual / total) : 1;
}

} // namespace

double Fit::at(double patches) const {
    double value = 0;
    for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c)
        value = value * patches + *c;
    return value;
}

std::optional<Fit> fitPolynomial(std::span<const FitPoint> points, int degree) {
    std::set<std::int64_t> sizes;
    for (const FitPoint& point : points)
        sizes.insert(point.patches);
    const auto n = static_cast<std::size_t>(degree) + 1;
    if (sizes.size() < n)
        return std::nullopt;
    // Sizes relative to the largest keep the powers near each other.
    const auto scale = static_cast<long double>(*sizes.rbegin());
    std::vector<Row> matrix(n, Row(n, 0));
    Row right(n, 0);
    for (const FitPoint& point : points)
        for (std::size_t i = 0; i < n; ++i) {
            const long double x = static_cast<long double>(point.patches) / scale;
            for (std::size_t j = 0; j < n; ++j)
                matrix[i][j] += std::pow(x, static_cast<long double>(i + j));
            right[i]
                += std::pow(x, static_cast<long double>(i)) * static_cast<long double>(point.bytes);
        }
    const Row solution = solve(std::move(matrix), std::move(right));
    Fit fit;
    for (std::size_t i = 0; i < n; ++i)
        fit.coefficients.push_back(
            static_cast<double>(solution[i] / std::pow(scale, static_cast<long double>(i))));
    fit.r2 = determination(points, fit);
    return fit;
}

} // namespace maskscope
