// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/remarks.h"

#include "core/mask/mask.h"
#include "tests/ui/ui_test.h"

#include <memory>

namespace maskscope {

class RemarksTest : public UiTest {
    Q_OBJECT

    static Report withOneMask(std::int64_t patches) {
        auto mask = std::make_shared<Mask>();
        mask->area = 9;
        Report report;
        report.patches = patches;
        report.masks = {mask};
        return report;
    }

private Q_SLOTS:
    void nothingIsSaidOfAnOrdinaryRun() {
        QCOMPARE(remarksOn(withOneMask(256), 65'536), QStringList());
        QCOMPARE(remarksOn(withOneMask(30'000), 0), QStringList()); // the model is not known
    }

    void aPictureFarLargerThanTheTrainingsIsTold() {
        const QStringList remarks = remarksOn(withOneMask(11'616), 65'536);
        QCOMPARE(remarks.size(), 1);
        QVERIFY2(remarks.front().contains(QStringLiteral("trained on pictures of about 0.07 MP")),
            qPrintable(remarks.front()));
    }

    void missingMasksAreTold() { QCOMPARE(remarksOn(Report(), 65'536).size(), 1); }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::RemarksTest)
#include "remarks_test.moc"
