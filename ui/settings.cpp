// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include "core/ring/ring_devices.h"
#include "ui/convert.h"

#include <algorithm>

namespace maskscope {

namespace {

constexpr auto kTheme = "appearance/theme";
constexpr auto kOpacity = "appearance/maskOpacity";
constexpr auto kMaskStyle = "appearance/maskStyle";
constexpr auto kPixelGrid = "appearance/pixelGrid";
constexpr auto kWeights = "appearance/weights";
constexpr auto kRecent = "files/recent";
constexpr auto kRequestTexts = "requests/texts";
constexpr auto kPromptRun = "run/promptRun";
constexpr auto kRecording = "run/keepRuns";
constexpr auto kAttention = "run/attention";
constexpr auto kPixels = "run/pixels";
constexpr auto kKvCache = "run/kvCache";
constexpr auto kMemoryLimit = "run/memoryLimit";
constexpr auto kRingRanks = "run/ringRanks";
constexpr auto kTemperature = "run/temperature";
constexpr auto kSeed = "run/seed";
constexpr auto kGeometry = "window/geometry";
constexpr auto kState = "window/state";

QString key(const char* name) {
    return QString::fromLatin1(name);
}

} // namespace

Settings::Settings()
    : m_settings(QStringLiteral("maskscope"), QStringLiteral("maskscope")) { }

Settings::Settings(const QString& file)
    : m_settings(file, QSettings::IniFormat) { }

Theme Settings::theme() const {
    const QString name = m_settings.value(key(kTheme)).toString();
    return name == QLatin1StringView("light") ? Theme::Light
        : name == QLatin1StringView("dark")   ? Theme::Dark
                                              : Theme::System;
}

void Settings::setTheme(Theme theme) {
    m_settings.setValue(key(kTheme),
        theme == Theme::Light      ? QStringLiteral("light")
            : theme == Theme::Dark ? QStringLiteral("dark")
                                   : QStringLiteral("system"));
}

QStringList Settings::recentFiles() const {
    return m_settings.value(key(kRecent)).toStringList().mid(0, kRecentFiles);
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_settings.setValue(key(kRecent), files.mid(0, kRecentFiles));
}

void Settings::removeRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    m_settings.setValue(key(kRecent), files);
}

void Settings::clearRecentFiles() {
    m_settings.remove(key(kRecent));
}

QStringList Settings::requestHistory() const {
    return m_settings.value(key(kRequestTexts)).toStringList();
}

void Settings::addRequest(const QString& text) {
    QStringList texts = requestHistory();
    if (text.isEmpty() || (!texts.isEmpty() && texts.last() == text))
        return;
    texts.append(text);
    m_settings.setValue(
        key(kRequestTexts), texts.mid(std::max<qsizetype>(0, texts.size() - kRequests)));
}

RunSettings Settings::runSettings() const {
    RunSettings settings;
    const std::string attention = toStdString(m_settings.value(key(kAttention)).toString());
    settings.attention = attentionPathFrom(attention).value_or(m_defaultAttention);
    settings.ringDevices.assign(
        std::size_t(std::clamp(m_settings.value(key(kRingRanks)).toInt(), 0, kMostRanks)), "cpu");
    settings.pixels = std::max<qint64>(0, m_settings.value(key(kPixels)).toLongLong());
    settings.kvCache
        = m_settings.value(key(kKvCache), true).toBool() ? KvCacheMode::On : KvCacheMode::Off;
    if (const qint64 limit = m_settings.value(key(kMemoryLimit)).toLongLong(); limit > 0)
        settings.memoryLimit = limit;
    settings.sampling.temperature
        = std::clamp(m_settings.value(key(kTemperature), 0.0).toDouble(), 0.0, 2.0);
    bool hasSeed = false;
    const qulonglong seed = m_settings.value(key(kSeed)).toULongLong(&hasSeed);
    if (hasSeed)
        settings.sampling.seed = seed;
    return settings;
}

void Settings::setRunSettings(const RunSettings& settings) {
    m_settings.setValue(key(kAttention), toQString(nameOf(settings.attention)));
    m_settings.setValue(key(kRingRanks), static_cast<int>(settings.ringDevices.size()));
    m_settings.setValue(key(kPixels), static_cast<qlonglong>(settings.pixels));
    m_settings.setValue(key(kKvCache), settings.kvCache == KvCacheMode::On);
    m_settings.setValue(
        key(kMemoryLimit), static_cast<qlonglong>(settings.memoryLimit.value_or(0)));
    m_settings.setValue(key(kTemperature), settings.sampling.temperature);
    if (settings.sampling.seed)
        m_settings.setValue(key(kSeed), static_cast<qulonglong>(*settings.sampling.seed));
    else
        m_settings.remove(key(kSeed));
}

PromptRun Settings::promptRun() const {
    return m_settings.value(key(kPromptRun), true).toBool() ? PromptRun::AtOnce
                                                            : PromptRun::OnRequest;
}

void Settings::setPromptRun(PromptRun promptRun) {
    m_settings.setValue(key(kPromptRun), promptRun == PromptRun::AtOnce);
}

RunRecording Settings::runRecording() const {
    return m_settings.value(key(kRecording), true).toBool() ? RunRecording::On : RunRecording::Off;
}

void Settings::setRunRecording(RunRecording recording) {
    m_settings.setValue(key(kRecording), recording == RunRecording::On);
}

int Settings::maskOpacity() const {
    bool isNumber = false;
    const int percent = m_settings.value(key(kOpacity)).toInt(&isNumber);
    return isNumber ? std::clamp(percent, 0, 100) : kDefaultOpacity;
}

void Settings::setMaskOpacity(int percent) {
    m_settings.setValue(key(kOpacity), percent);
}

MaskStyle Settings::maskStyle() const {
    return m_settings.value(key(kMaskStyle)).toString() == QLatin1StringView("outlined")
        ? MaskStyle::Outlined
        : MaskStyle::Filled;
}

void Settings::setMaskStyle(MaskStyle style) {
    m_settings.setValue(key(kMaskStyle),
        style == MaskStyle::Outlined ? QStringLiteral("outlined") : QStringLiteral("filled"));
}

PixelGrid Settings::pixelGrid() const {
    return m_settings.value(key(kPixelGrid), true).toBool() ? PixelGrid::Shown : PixelGrid::Hidden;
}

void Settings::setPixelGrid(PixelGrid grid) {
    m_settings.setValue(key(kPixelGrid), grid == PixelGrid::Shown);
}

Weights Settings::weights() const {
    return m_settings.value(key(kWeights), false).toBool() ? Weights::Shown : Weights::Hidden;
}

void Settings::setWeights(Weights weights) {
    m_settings.setValue(key(kWeights), weights == Weights::Shown);
}

QByteArray Settings::windowGeometry() const {
    return m_settings.value(key(kGeometry)).toByteArray();
}

QByteArray Settings::windowState() const {
    return m_settings.value(key(kState)).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state) {
    m_settings.setValue(key(kGeometry), geometry);
    m_settings.setValue(key(kState), state);
}

} // namespace maskscope
