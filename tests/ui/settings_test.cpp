// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.h"

#include "tests/ui/ui_test.h"

#include <QTemporaryDir>

namespace maskscope {

class SettingsTest : public UiTest {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString file() const { return m_folder.filePath(QStringLiteral("settings.ini")); }

private Q_SLOTS:
    void cleanup() { QFile::remove(file()); }

    void startsWithDefaults() {
        const Settings settings(file());
        QVERIFY(settings.theme() == Theme::System);
        QCOMPARE(settings.maskOpacity(), Settings::kDefaultOpacity);
        QVERIFY(settings.recentFiles().isEmpty());
        QVERIFY(settings.runSettings().attention == AttentionPath::Auto);
        QVERIFY(!settings.runSettings().memoryLimit.has_value());
        QVERIFY(!settings.runSettings().sampling.seed.has_value());
    }

    void remembers() {
        {
            Settings settings(file());
            settings.setTheme(Theme::Dark);
            settings.setMaskOpacity(70);
            RunSettings run;
            run.attention = AttentionPath::Mha;
            run.ringDevices.assign(3, "cpu");
            run.pixels = 1'500'000;
            run.kvCache = KvCacheMode::Off;
            run.memoryLimit = std::int64_t(3) << 30;
            run.sampling.temperature = 0.7;
            run.sampling.seed = 12'345'678'901ULL;
            settings.setRunSettings(run);
        }
        const Settings settings(file());
        QVERIFY(settings.theme() == Theme::Dark);
        QCOMPARE(settings.maskOpacity(), 70);
        const RunSettings run = settings.runSettings();
        QVERIFY(run.attention == AttentionPath::Mha);
        QCOMPARE(run.ringDevices.size(), std::size_t(3));
        QCOMPARE(run.pixels, 1'500'000);
        QVERIFY(run.kvCache == KvCacheMode::Off);
        QCOMPARE(run.memoryLimit.value_or(0), std::int64_t(3) << 30);
        QCOMPARE(run.sampling.temperature, 0.7);
        QCOMPARE(run.sampling.seed.value_or(0), 12'345'678'901ULL);
    }

    void readsNonsenseAsDefaults() {
        QFile damaged(file());
        QVERIFY(damaged.open(QIODevice::WriteOnly));
        damaged.write(
            "[appearance]\ntheme=pink\nmaskOpacity=many\n"
            "[run]\nattention=warp\npixels=-7\nmemoryLimit=-5\ntemperature=900\nseed=x\n");
        damaged.close();
        const Settings settings(file());
        QVERIFY(settings.theme() == Theme::System);
        QCOMPARE(settings.maskOpacity(), Settings::kDefaultOpacity);
        QVERIFY(settings.runSettings().attention == AttentionPath::Auto);
        QCOMPARE(settings.runSettings().pixels, 0);
        QVERIFY(!settings.runSettings().memoryLimit.has_value());
        QCOMPARE(settings.runSettings().sampling.temperature, 2.0);
        QVERIFY(!settings.runSettings().sampling.seed.has_value());
    }

    void anAttentionPathThatWasChosenGoesBeforeTheDefault() {
        Settings settings(file());
        settings.setDefaultAttention(AttentionPath::Mha);
        QVERIFY(settings.runSettings().attention == AttentionPath::Mha);
        RunSettings run;
        run.attention = AttentionPath::Flash;
        settings.setRunSettings(run);
        QVERIFY(settings.runSettings().attention == AttentionPath::Flash);
    }

    void keepsRecentFilesNewestFirst() {
        Settings settings(file());
        for (int i = 0; i < 14; ++i)
            settings.addRecentFile(QStringLiteral("/a/%1.png").arg(i));
        settings.addRecentFile(QStringLiteral("/a/9.png"));
        QCOMPARE(settings.recentFiles().size(), Settings::kRecentFiles);
        QCOMPARE(settings.recentFiles().mid(0, 3),
            (QStringList{QStringLiteral("/a/9.png"), QStringLiteral("/a/13.png"),
                QStringLiteral("/a/12.png")}));
        settings.removeRecentFile(QStringLiteral("/a/13.png"));
        QVERIFY(!settings.recentFiles().contains(QStringLiteral("/a/13.png")));
    }

    void keepsRequestsWithoutRepetition() {
        Settings settings(file());
        for (const char* text : {"cat", "cat", "", "dog", "cat"})
            settings.addRequest(QString::fromUtf8(text));
        QCOMPARE(settings.requestHistory(),
            (QStringList{QStringLiteral("cat"), QStringLiteral("dog"), QStringLiteral("cat")}));
        for (int i = 0; i < 300; ++i)
            settings.addRequest(QString::number(i));
        QCOMPARE(settings.requestHistory().size(), Settings::kRequests);
        QCOMPARE(settings.requestHistory().last(), QStringLiteral("299"));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::SettingsTest)
#include "settings_test.moc"
