// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDoubleSpinBox>
#include <cstdint>

namespace maskscope {

/// An image size in megapixels, to two decimals, never more than was given; its least value stands
/// for no size of its own and has a name.
class MegapixelBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit MegapixelBox(const QString& none, QWidget* parent = nullptr);

    /// RunSettings::pixels; 0 is none.
    std::int64_t pixels() const;
    void setPixels(std::int64_t pixels);
    /// That the model accepts; 0 where that is not known.
    void setMostPixels(std::int64_t pixels);
};

} // namespace maskscope
