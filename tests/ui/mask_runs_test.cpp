// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_runs.h"

#include "tests/ui/drawn_mask.h"
#include "tests/ui/ui_test.h"

namespace maskscope {

class MaskRunsTest : public UiTest {
    Q_OBJECT
private Q_SLOTS:
    void holdsExactlyTheMask() {
        const Mask mask = drawnMask({
            "......",
            ".###.#",
            ".#.#..",
            "......",
            ".##.##",
        });
        const MaskRuns runs = runsOf(mask);
        QCOMPARE(runs.rect, QRect(1, 1, 5, 4));
        QCOMPARE(runs.row(1).size(), std::size_t(4));
        QVERIFY(runs.row(3).empty() && runs.row(0).empty() && runs.row(-9).empty());
        for (int y = -1; y <= mask.height; ++y)
            for (int x = -1; x <= mask.width; ++x) {
                const bool inside = x >= 0 && y >= 0 && x < mask.width && y < mask.height
                    && mask.bits[static_cast<std::size_t>(y * mask.width + x)] != 0;
                QCOMPARE(runs.contains(x, y), inside);
            }
    }

    void anEmptyMaskHasNone() {
        const MaskRuns runs = runsOf(drawnMask({"..."}));
        QVERIFY(runs.rect.isEmpty() && runs.edges.empty());
        QVERIFY(!runs.contains(0, 0));
    }
};

} // namespace maskscope

QTEST_GUILESS_MAIN(maskscope::MaskRunsTest)
#include "mask_runs_test.moc"
