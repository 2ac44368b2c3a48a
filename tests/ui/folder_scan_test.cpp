// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_scan.h"

#include "tests/ui/ui_test.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

namespace maskscope {

class FolderScanTest : public UiTest {
    Q_OBJECT

    QTemporaryDir m_root;

    void make(const QString& name) const {
        const QString path = m_root.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

    // Names below the root.
    QStringList scan(const QStringList& folders, QStringList* refused = nullptr) const {
        FolderScan scan;
        QStringList found;
        connect(&scan, &FolderScan::found, this, [&](const QStringList& files) {
            for (const QString& file : files)
                found += QDir(m_root.path()).relativeFilePath(file);
        });
        connect(&scan, &FolderScan::refused, this, [&](const QString& folder) {
            if (refused != nullptr)
                refused->append(folder);
        });
        QSignalSpy ended(&scan, &FolderScan::ended);
        scan.scan(folders);
        (void)(ended.count() > 0 || ended.wait());
        return found;
    }

private Q_SLOTS:
    void findsImagesInTheOrderOfPeople() {
        for (const QString& name : {QStringLiteral("여행 10.png"), QStringLiteral("여행 2.JPG"),
                 QStringLiteral("notes.txt"), QStringLiteral(".hidden.png"),
                 QStringLiteral("sub/b.webp"), QStringLiteral("sub/deep/a.tiff"),
                 QStringLiteral("sub/deep/a.json"), QStringLiteral("Also/c.gif"),
                 QStringLiteral(".git/d.png")})
            make(name);
        QCOMPARE(scan({m_root.path()}),
            QStringList({QStringLiteral("여행 2.JPG"), QStringLiteral("여행 10.png"),
                QStringLiteral("Also/c.gif"), QStringLiteral("sub/b.webp"),
                QStringLiteral("sub/deep/a.tiff")}));
        QCOMPARE(
            scan({m_root.filePath(QStringLiteral("sub")), m_root.filePath(QStringLiteral("Also"))}),
            QStringList({QStringLiteral("sub/b.webp"), QStringLiteral("sub/deep/a.tiff"),
                QStringLiteral("Also/c.gif")}));
    }

    void linksThatLeadBackAreGoneIntoOnce() {
        make(QStringLiteral("loop/x.png"));
        const QString loop = m_root.filePath(QStringLiteral("loop"));
        QVERIFY(QFile::link(loop, loop + QStringLiteral("/again")));
        QCOMPARE(scan({loop}), QStringList({QStringLiteral("loop/x.png")}));
    }

    void aFolderThatIsNotThereIsTold() {
        QStringList refused;
        const QString gone = m_root.filePath(QStringLiteral("gone"));
        QVERIFY(scan({gone}, &refused).isEmpty());
        QCOMPARE(refused, QStringList({gone}));
    }

    void stops() {
        FolderScan scan;
        scan.scan({QStringLiteral("/usr")});
        scan.stop();
        QTRY_VERIFY(scan.state() == FolderScan::State::Idle);
        scan.scan({m_root.path()}); // and can begin again
        QTRY_VERIFY(scan.state() == FolderScan::State::Idle);
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::FolderScanTest)
#include "folder_scan_test.moc"
