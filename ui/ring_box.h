// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSpinBox>
#include <QString>
#include <cstdint>
#include <string>
#include <vector>

namespace maskscope {

/// How many ranks a ring on the CPU has.
class RingBox : public QSpinBox {
    Q_OBJECT
public:
    explicit RingBox(QWidget* parent = nullptr);

    /// As RunSettings::ringDevices.
    std::vector<std::string> devices() const;
    /// As many; a ring of no devices is the default one.
    void setDevices(const std::vector<std::string>& devices);
};

/// Why so few patches are not worth a ring; empty where they are enough.
QString tooFewForRing(std::int64_t patches);

} // namespace maskscope
