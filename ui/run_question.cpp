// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_question.h"

#include "ui/convert.h"

#include <QCoreApplication>
#include <random>

namespace maskscope {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RunQuestion)
};

} // namespace

Result<RunHeader> againOf(const RunRecord& run) {
    RunHeader header = run.header;
    if (header.image.path.empty())
        return Error{ErrorKind::Input,
            toStdString(Text::tr(
                "The picture of this run was not a file, so that it cannot be run again."))};
    if (const Report* report = reportOf(run))
        header.settings.sampling.seed = report->seed;
    return header;
}

Result<QString> RunQuestion::fileOf(const Picture& picture) {
    if (!picture.path.isEmpty())
        return picture.path;
    const QString name = QStringLiteral("pasted.png");
    if (m_folder && m_written.lock() == picture.image)
        return m_folder->filePath(name);
    m_folder = std::make_unique<QTemporaryDir>();
    const QString path = m_folder->filePath(name);
    if (!m_folder->isValid() || !toQImage(*picture.image).save(path))
        return Error{ErrorKind::Input,
            toStdString(
                Text::tr("The pasted image cannot be written to %1 for the run.").arg(path))};
    m_written = picture.image;
    return path;
}

Result<RunHeader> RunQuestion::of(
    const Request& request, const Picture& picture, const std::filesystem::path& model) {
    const Result<QString> path = fileOf(picture);
    if (!path)
        return path.error();
    RunHeader header = headerOf(request);
    header.modelFolder = model.string();
    header.image.path = toPath(path.value()).string();
    if (!header.settings.sampling.seed)
        header.settings.sampling.seed = std::random_device{}();
    return header;
}

} // namespace maskscope
