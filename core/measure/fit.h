// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace maskscope {

/// Bytes over patches.
struct FitPoint {
    std::int64_t patches = 0;
    std::int64_t bytes = 0;
};

/// A polynomial through measured points by least squares.
struct Fit {
    std::vector<double> coefficients; ///< of P^0, P^1, ...: bytes
    double r2 = 1; ///< 1 where the points lie on it

    double at(double patches) const;
    int degree() const { return int(coefficients.size()) - 1; }
    double slopePer1024() const { return coefficients[1] * 1024; } ///< of the linear part
};

/// Nothing with fewer than degree + 1 different sizes.
std::optional<Fit> fitPolynomial(std::span<const FitPoint> points, int degree);

} // namespace maskscope
