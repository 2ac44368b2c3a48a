// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/event.h"

#include <QString>
#include <QStringList>

#include <cstdint>

namespace maskscope {

/// What a person should be told about a finished run beside its answer: that it was stopped, that a
/// mask is empty, that there is none, that the model was trained on far smaller pictures. One
/// sentence each, plain text. `firstNumber` is that of its first mask in the list.
QStringList remarksOn(const Report& report, std::int64_t trainingPixels, int firstNumber = 1);

/// What can be done about a kind of error from inside the window.
enum class NextStep { None, OpenAnother, LowerMemory, AutomaticAttention, EditRequest };
NextStep nextStepFor(ErrorKind kind);
/// For a button; empty for NextStep::None.
QString titleOf(NextStep step);

} // namespace maskscope
