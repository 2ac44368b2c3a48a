// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/examples.h"

#include "ui/convert.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace maskscope {

Result<std::vector<Example>> readExamples(const QString& folder) {
    std::vector<Example> examples;
    const QDir directory(folder);
    const QString path = directory.absoluteFilePath(QStringLiteral("index.json"));
    QFile file(path);
    if (folder.isEmpty() || !file.exists())
        return examples;
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Input,
            toStdString(QStringLiteral("The list of examples %1 cannot be read: %2.")
                            .arg(path, file.errorString()))};
    QJsonParseError problem;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &problem);
    if (!document.isArray())
        return Error{ErrorKind::Input,
            toStdString(QStringLiteral("The list of examples %1 is damaged at byte %2: install the "
                                       "program again.")
                            .arg(path)
                            .arg(problem.offset))};
    const QJsonArray entries = document.array();
    for (const auto& entry : entries) {
        const QJsonObject object = entry.toObject();
        const QString image
            = directory.absoluteFilePath(object.value(QLatin1StringView("image")).toString());
        const QString request = object.value(QLatin1StringView("request")).toString();
        if (!request.isEmpty() && QFile::exists(image))
            examples.push_back({image, request});
    }
    return examples;
}

} // namespace maskscope
