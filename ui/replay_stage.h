// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/run_record.h"
#include "ui/background.h"
#include "ui/run_scene.h"
#include "ui/session.h"

#include <QObject>
#include <cstdint>
#include <memory>

namespace maskscope {

class Workspace;

/// Brings a past run into the window: its picture, if the file still holds the same pixels, else an
/// empty one of its size, its clicks and boxes, a label that says whose run it is, and the run's
/// events through the session, at their own pace.
class ReplayStage : public QObject {
    Q_OBJECT
public:
    /// All of them outlive it.
    ReplayStage(Session& session, Workspace& workspace, ImageReader reader, QObject* parent);

    /// Begins as soon as the picture is there; what runs is stopped then.
    void play(const std::shared_ptr<const RunRecord>& record);
    /// Ends the replay and goes back to the picture before it.
    void end();
    /// Forgets the replay: another picture takes its place.
    void leave();
    bool isActive() const { return m_record != nullptr; }

Q_SIGNALS:
    /// The run's picture is to be shown, without anything of the last one; null is the start page.
    void pictureChosen(const std::shared_ptr<const maskscope::Picture>& picture);
    /// A replay is shown: of a run that was asked for with these settings.
    void shown(const maskscope::RunSettings& settings);
    void left();

private:
    void show(const std::shared_ptr<const RunRecord>& record, const RunScene& scene);

    Session& m_session;
    Workspace& m_workspace;
    ImageReader m_reader;
    std::shared_ptr<const RunRecord> m_record; // that is shown
    std::shared_ptr<const Picture> m_before; // shown before the replay
    std::uint64_t m_newest = 0;
    Background m_background; // last: its thread uses the reader
};

} // namespace maskscope
