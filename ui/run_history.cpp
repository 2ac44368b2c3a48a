// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_history.h"

#include "core/history/run_file.h"
#include "core/history/run_store.h"
#include "ui/convert.h"

#include <utility>

namespace maskscope {

namespace {

std::vector<RunSummary> listIn(const std::filesystem::path& file) {
    std::error_code ignored; // opening it says more
    if (!std::filesystem::exists(file, ignored) && !ignored)
        return {};
    return RunStore(file).list();
}

} // namespace

RunHistory::RunHistory(std::filesystem::path file, QObject* parent)
    : QObject(parent)
    , m_file(std::move(file)) { }

RunHistory::~RunHistory() {
    m_background.finish();
}

template <class Value>
void RunHistory::run(std::function<Value()> work, std::function<void(Value)> done) {
    auto guarded = [work = std::move(work)]() -> Result<Value> {
        try {
            return work();
        } catch (...) {
            return errorOf(std::current_exception());
        }
    };
    m_background.run(std::move(guarded), [this, done = std::move(done)](Result<Value> result) {
        if (result)
            done(std::move(result).value());
        else
            Q_EMIT failed(result.error());
    });
}

void RunHistory::change(std::function<void()> work) {
    run<std::vector<RunSummary>>(
        [file = m_file, work = std::move(work)] {
            work();
            return listIn(file);
        },
        [this](const std::vector<RunSummary>& runs) { Q_EMIT listed(runs); });
}

void RunHistory::refresh() {
    change([] {});
}

void RunHistory::add(RunRecord record, std::shared_ptr<const Image> image) {
    auto kept = std::make_shared<RunRecord>(std::move(record));
    change([file = m_file, kept, image = std::move(image)] {
        if (image)
            kept->header.image.digest = digestOf(*image);
        RunStore(file).add(*kept);
    });
}

void RunHistory::load(std::int64_t id) {
    using Record = std::shared_ptr<const RunRecord>;
    run<Record>(
        [file = m_file, id] { return std::make_shared<const RunRecord>(RunStore(file).load(id)); },
        [this](const Record& record) { Q_EMIT loaded(record); });
}

void RunHistory::remove(std::vector<std::int64_t> ids) {
    change([file = m_file, ids = std::move(ids)] { RunStore(file).remove(ids); });
}

void RunHistory::exportRun(std::int64_t id, const QString& target) {
    run<QString>(
        [file = m_file, id, target] {
            // The dialog that chose the name has asked before an existing file is replaced.
            writeRunFile(RunStore(file).load(id), toPath(target), Existing::Replace);
            return target;
        },
        [this](const QString& written) { Q_EMIT exported(written); });
}

void RunHistory::importRun(const QString& source) {
    change([file = m_file, source] {
        const RunRecord record = readRunFile(toPath(source));
        RunStore(file).add(record);
    });
}

} // namespace maskscope
