// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compose.h"

#include "ui/convert.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Compose)
};

Error missing(const QString& sentence) {
    return {ErrorKind::Usage, toStdString(sentence)};
}

} // namespace

Result<Request> composeRequest(const Ask& ask) {
    if (!ask.picture)
        return missing(Text::tr("Open an image first: drop one here, paste it, or press Ctrl+O."));
    Request request;
    request.images = {ask.picture->image};
    request.settings = ask.settings;
    const QString words = ask.words.trimmed();
    if (ask.tool == Tool::Words) {
        if (words.isEmpty())
            return missing(Text::tr("Type what to find, for example “the red ball”."));
        request.text = toStdString(words);
        return request;
    }
    if (ask.prompts.isEmpty())
        return missing(ask.tool == Tool::Points
                ? Text::tr("Click the object in the image first.")
                : Text::tr("Drag a box around the object in the image first."));
    request.points = ask.prompts.points();
    const bool refines = ask.wordsWithPrompts == WordsWithPrompts::Refine && !words.isEmpty();
    const bool onlyExcludes = ask.prompts.boxes().empty()
        && std::all_of(request.points.begin(), request.points.end(),
            [](const PointPrompt& point) { return point.sign == PointSign::Negative; });
    if (onlyExcludes && !refines)
        return missing(
            Text::tr("That point says what does not belong to the object: click the object too."));
    request.boxes = ask.prompts.boxes();
    if (refines)
        request.text = toStdString(words);
    else if (request.boxes.empty() && request.points.front().sign == PointSign::Positive)
        request.meaning = ask.meaning;
    return request;
}

QString describe(const Request& request) {
    QStringList prompts;
    if (const auto count = request.points.size(); count > 0)
        prompts += count == 1 ? Text::tr("1 point") : Text::tr("%1 points").arg(count);
    if (const auto count = request.boxes.size(); count > 0)
        prompts += count == 1 ? Text::tr("1 box") : Text::tr("%1 boxes").arg(count);
    QString list = prompts.join(Text::tr(" and "));
    if (request.text.empty())
        return list;
    const QString words = QStringLiteral("“%1”").arg(toQString(request.text));
    return list.isEmpty() ? words : Text::tr("%1 with %2").arg(words, list);
}

} // namespace maskscope
