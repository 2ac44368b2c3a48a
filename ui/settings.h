// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/request.h"
#include "ui/memory_series.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace maskscope {

enum class Theme { System, Light, Dark };
/// Whether a click or a box starts a run by itself.
enum class PromptRun { AtOnce, OnRequest };
/// Whether runs are kept in the history.
enum class RunRecording { On, Off };
enum class MaskStyle { Filled, Outlined };
/// Lines between pixels that are shown large.
enum class PixelGrid { Shown, Hidden };

/// What the program remembers, typed. A stored value that cannot be meant reads as its default.
/// Handed to those who need it by reference; there is no global one.
class Settings {
public:
    /// In the person's own configuration.
    Settings();
    /// In an INI file.
    explicit Settings(const QString& file);

    Theme theme() const;
    void setTheme(Theme theme);

    /// Newest first, at most kRecentFiles.
    QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();

    /// Oldest first, without neighbours that are equal.
    QStringList requestHistory() const;
    void addRequest(const QString& text);

    /// The attention path for as long as the person has chosen none.
    void setDefaultAttention(AttentionPath path) { m_defaultAttention = path; }
    RunSettings runSettings() const;
    void setRunSettings(const RunSettings& settings);
    PromptRun promptRun() const;
    void setPromptRun(PromptRun promptRun);
    RunRecording runRecording() const;
    void setRunRecording(RunRecording recording);

    int maskOpacity() const; ///< per cent
    void setMaskOpacity(int percent);
    MaskStyle maskStyle() const;
    void setMaskStyle(MaskStyle style);
    PixelGrid pixelGrid() const;
    void setPixelGrid(PixelGrid grid);

    /// Hidden by default: they change nothing during a run, and beside them the rest is flat.
    Weights weights() const;
    void setWeights(Weights weights);

    QByteArray windowGeometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);
    void save() { m_settings.sync(); }

    static constexpr int kRecentFiles = 10;
    static constexpr int kRequests = 200;
    static constexpr int kDefaultOpacity = 45;

private:
    QSettings m_settings;
    AttentionPath m_defaultAttention = AttentionPath::Auto;
};

} // namespace maskscope
