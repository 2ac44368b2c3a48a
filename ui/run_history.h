// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/history/run_record.h"
#include "core/history/run_summary.h"
#include "core/image/image.h"
#include "ui/background.h"

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace maskscope {

/// The history of runs for the window, which never waits for it: every call returns at once, works
/// on a thread of its own in the order of the calls, and answers by a signal. Destruction waits for
/// what is still to be written.
class RunHistory : public QObject {
    Q_OBJECT
public:
    /// The file is made when the first run is kept.
    explicit RunHistory(std::filesystem::path file, QObject* parent = nullptr);
    ~RunHistory() override;

    /// Answers with listed(), as do all calls that change the history.
    void refresh();
    /// `image` is what the run looked at; its digest becomes part of the header.
    void add(RunRecord record, std::shared_ptr<const Image> image);
    void load(std::int64_t id);
    void remove(std::vector<std::int64_t> ids);
    void exportRun(std::int64_t id, const QString& file);
    void importRun(const QString& file);

Q_SIGNALS:
    void listed(const std::vector<maskscope::RunSummary>& runs);
    void loaded(const std::shared_ptr<const maskscope::RunRecord>& record);
    void exported(const QString& file);
    void failed(const maskscope::Error& error);

private:
    /// Hands the value of `work` to `done`, or its error to failed().
    template <class Value>
    void run(std::function<Value()> work, std::function<void(Value)> done);
    /// Lists the history after `work` has changed it.
    void change(std::function<void()> work);

    std::filesystem::path m_file;
    Background m_background; // last: its thread uses the file
};

} // namespace maskscope
