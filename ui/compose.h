// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/request.h"
#include "ui/picture.h"
#include "ui/prompts.h"

#include <QString>
#include <memory>

namespace maskscope {

/// What the mouse does on the image, and so what a run asks for.
enum class Tool { Words, Points, Box };
/// Whether clicks and boxes refine what the words find or stand alone.
enum class WordsWithPrompts { Leave, Refine };

/// All that a person has set before a run.
struct Ask {
    std::shared_ptr<const Picture> picture; ///< null when none is open
    Tool tool = Tool::Words;
    QString words;
    WordsWithPrompts wordsWithPrompts = WordsWithPrompts::Leave;
    PromptSet prompts;
    int meaning = 0; ///< of the first point
    RunSettings settings;
};

/// The request that the ask stands for, without its number; or what is missing, as a sentence with
/// the next step. With the words tool only the words count, with the others the clicks and boxes.
Result<Request> composeRequest(const Ask& ask);

/// “red mug”, “red mug” with 2 points, 1 box: for the head of the answer. Plain text.
QString describe(const Request& request);

} // namespace maskscope
