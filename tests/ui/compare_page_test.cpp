// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_page.h"

#include "tests/ui/fake_compare.h"
#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/colours.h"
#include "ui/compare_form.h"
#include "ui/compare_plot.h"
#include "ui/compare_row.h"
#include "ui/convert.h"
#include "ui/export_button.h"
#include "ui/figure_table.h"
#include "ui/megapixel_box.h"
#include "ui/message_bar.h"
#include "ui/result_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <fstream>

using namespace std::chrono_literals;

namespace maskscope {

class ComparePageTest : public UiTest {
    Q_OBJECT

    QTemporaryDir m_folder;
    std::shared_ptr<FakeModel> m_model;
    std::shared_ptr<const Picture> m_picture;
    std::unique_ptr<ComparePage> m_page;

    template <class T>
    T& find(const char* name) const {
        return childNamed<T>(*m_page, name);
    }
    QPushButton& runButton() const { return find<QPushButton>("compareButton"); }
    FigureTable& figures() const { return find<FigureTable>("compareFigures"); }
    QLabel& verdicts() const { return find<QLabel>("compareVerdicts"); }
    CompareForm& form() const { return find<CompareForm>("compareForm"); }
    bool isIdle() const { return m_page->state() == CompareJob::State::Idle; }

    Ask ask(const QString& words = QStringLiteral("the cat")) const {
        Ask result;
        result.picture = m_picture;
        result.words = words;
        return result;
    }
    void runToTheEnd() const {
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
    }
    QStringList column(int index) const {
        QStringList cells;
        for (int row = 0; row < figures().rowCount(); ++row)
            cells += figures().item(row, index)->text();
        return cells;
    }

private Q_SLOTS:
    void init() {
        UiTest::init();
        m_model = std::make_shared<FakeModel>();
        const QString file = m_folder.filePath(QStringLiteral("a.png"));
        const Image image = gradient(64, 48);
        QVERIFY(toQImage(image).save(file));
        m_picture = makePicture(image, QStringLiteral("a.png"), file);
        CompareTools tools;
        tools.model = "model";
        tools.run = fakeRuns(m_model, m_picture->image);
        tools.write = [](const std::vector<ComparedRuns>& compared, const Image&,
                          const std::filesystem::path& path) {
            if (path.filename() == "refused.html")
                throw Failure(ErrorKind::Input, "The disk is full.");
            std::ofstream(path) << compared.size() << " configurations";
        };
        m_page = std::make_unique<ComparePage>(std::move(tools));
        m_page->resize(1100, 720);
        m_page->setAsk(ask());
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void cleanup() { m_page.reset(); }

    void saysWhatIsMissing() {
        m_page->setAsk({});
        QVERIFY(!runButton().isEnabled());
        QVERIFY(!find<QLabel>("compareQuestion").text().isEmpty());
        m_page->setAsk(ask());
        QVERIFY(runButton().isEnabled());
        QVERIFY(find<QLabel>("compareQuestion").text().contains(QStringLiteral("the cat")));
    }

    void runsTheRequestInEachWay() {
        runToTheEnd();
        const auto requests = m_model->requests();
        QCOMPARE(requests.size(), 2U);
        QCOMPARE(requests[0].settings.attention, AttentionPath::Mha);
        QCOMPARE(requests[1].settings.attention, AttentionPath::Sdpa);
        QVERIFY(requests[0].settings.sampling.seed.has_value());
        QCOMPARE(requests[0].settings.sampling.seed, requests[1].settings.sampling.seed);
        QCOMPARE(figures().columnCount(), 3);
        QVERIFY(column(0).contains(QStringLiteral("attention used")));
        const auto vision = column(0).indexOf(QStringLiteral("vision")); // the title of its rows
        QVERIFY(vision > 0);
        QCOMPARE(figures().columnSpan(int(vision), 0), 3);
        QCOMPARE(column(0).at(vision + 1), QStringLiteral("extra peak, vision"));
        QVERIFY(verdicts().isVisible());
        QVERIFY(verdicts().text().startsWith(QStringLiteral("sdpa: ")));
    }

    void drawsTheMemoryOfEachRun() {
        runToTheEnd();
        const auto& plot = find<ComparePlot>("comparePlot");
        QCOMPARE(plot.graphCount(), 3); // two runs and their difference
        for (int i = 0; i < 2; ++i) {
            double most = 0;
            for (const QCPGraphData& point : *plot.graph(i)->data())
                most = std::max(most, point.value);
            QVERIFY(most > 0);
            QVERIFY(most <= double(FakeModel::kVisionPeak));
        }
    }

    void takesTwoToFourConfigurations() {
        auto& add = find<QPushButton>("addConfiguration");
        add.click();
        add.click();
        QCOMPARE(form().rowCount(), 4);
        QVERIFY(!add.isEnabled());
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
        QCOMPARE(m_model->requests().size(), 4U);
        // Equal ones have titles that tell them apart.
        QCOMPARE(figures().horizontalHeaderItem(3)->text(), QStringLiteral("flash"));
        QCOMPARE(figures().horizontalHeaderItem(4)->text(), QStringLiteral("flash (2)"));
    }

    void aRowOfARingSaysItsRanks() {
        auto* row = m_page->findChildren<CompareRow*>().at(0);
        auto* ranks = row->findChild<QSpinBox*>(QStringLiteral("rowRanks"));
        QVERIFY(!ranks->isVisibleTo(row));
        row->setAttention(AttentionPath::Ring);
        QVERIFY(ranks->isVisibleTo(row));
        QCOMPARE(ranks->minimum(), 2);
        QCOMPARE(ranks->maximum(), 8);
        ranks->setValue(3);
        runToTheEnd();
        QCOMPARE(m_model->requests().front().settings.ringDevices,
            (std::vector<std::string>{"cpu", "cpu", "cpu"}));
        QVERIFY(m_model->requests().back().settings.ringDevices.empty());
        QCOMPARE(figures().horizontalHeaderItem(1)->text(), QStringLiteral("ring of 3"));
    }

    void aRunThatFailsIsToldAtOnce() {
        FakeAnswer answer = m_model->answer();
        answer.failure = Error{ErrorKind::Input, "The <b>picture</b> is gone."};
        m_model->setAnswer(answer);
        runToTheEnd();
        // Nothing else is offered for it at the end, so that this is what was told meanwhile.
        QCOMPARE(find<MessageBar>("compareMessages").text(),
            QStringLiteral("sdpa: The <b>picture</b> is gone."));
    }

    void rowsSayAllThatMayDiffer() {
        auto rows = m_page->findChildren<CompareRow*>();
        QCOMPARE(rows.size(), 2);
        rows[0]->setAttention(AttentionPath::Sdpa);
        const auto box = [&](int row, const char* name) {
            return rows[row]->findChild<QSpinBox*>(QString::fromLatin1(name));
        };
        rows[0]->findChild<MegapixelBox*>(QStringLiteral("rowSize"))->setValue(0.5);
        box(0, "rowThreads")->setValue(1);
        rows[1]->findChild<QCheckBox*>(QStringLiteral("rowCache"))->setChecked(false);
        auto* precision = rows[1]->findChild<QComboBox*>(QStringLiteral("rowPrecision"));
        precision->setCurrentIndex(precision->findText(QStringLiteral("bf16")));
        Ask sized = ask();
        sized.settings.pixels = 2'000'000;
        m_page->setAsk(sized);
        find<QSpinBox>("compareRepeats").setValue(2);
        runToTheEnd();
        const auto requests = m_model->requests();
        QCOMPARE(requests.size(), 4U); // in turns
        QCOMPARE(requests[0].settings.pixels, 500'000);
        QCOMPARE(requests[0].settings.threads, 1);
        QCOMPARE(requests[1].settings.pixels, 2'000'000); // as the request has it
        QCOMPARE(requests[1].settings.threads, 0);
        QVERIFY(requests[1].settings.kvCache == KvCacheMode::Off);
        QVERIFY(requests[1].settings.precision == Precision::BFloat16);
        QCOMPARE(
            figures().horizontalHeaderItem(1)->text(), QStringLiteral("sdpa, 0.50 MP, 1 thread"));
        QCOMPARE(figures().horizontalHeaderItem(2)->text(),
            QStringLiteral("sdpa, bf16, without KV cache"));
    }

    void offersDevicesWhereThereAreSeveral() {
        auto* row = m_page->findChild<CompareRow*>();
        auto* device = row->findChild<QComboBox*>(QStringLiteral("rowDevice"));
        QTRY_COMPARE(device->count(), 1);
        QVERIFY(!device->isVisible());
        form().setDevices({{"cpu", true, {}}, {"cuda", true, {}}, {"hip", false, "not built"}});
        QVERIFY(device->isVisible());
        QCOMPARE(device->count(), 2);
        device->setCurrentIndex(1);
        RunHeader question;
        QCOMPARE(form().plan(question).configurations[0].device, std::string("cuda"));
        QCOMPARE(form().plan(question).configurations[0].title, std::string("mha, cuda"));
        QCOMPARE(form().plan(question).configurations[1].device, std::string("cpu"));
    }

    void sizesEndWhereTheModelDoes() {
        ModelDescription model;
        model.info.mostPixels = 8'388'608;
        m_page->setModel(model);
        auto* size = m_page->findChild<MegapixelBox*>(QStringLiteral("rowSize"));
        size->setPixels(40'000'000);
        QVERIFY(size->pixels() <= 8'388'608);
    }

    void looksIntoThePeakOfARun() {
        auto& peaks = find<QPushButton>("comparePeaks");
        QVERIFY(!peaks.isEnabled());
        FakeAnswer slow;
        slow.perStage = 40ms;
        slow.perToken = 20ms;
        m_model->setAnswer(slow);
        runToTheEnd();
        QVERIFY(peaks.isEnabled());
        QSignalSpy wanted(m_page.get(), &ComparePage::anatomyWanted);
        const auto last = [&] {
            return std::get<RunAnatomyQuestion>(wanted.back().front().value<AnatomyQuestion>());
        };
        peaks.menu()->actions().at(0)->trigger();
        QCOMPARE(wanted.count(), 1);
        QVERIFY(last().run.settings.attention == AttentionPath::Mha);
        QVERIFY(last().moment.stage == Stage::Vision);
        QVERIFY(!last().moment.live.has_value());
        // A click on a curve away from its peak.
        auto& plot = find<ComparePlot>("comparePlot");
        plot.replot();
        const auto end = plot.graph(1)->data()->constEnd() - 1;
        QTest::mouseClick(&plot, Qt::LeftButton, {},
            QPoint(int(plot.xAxis->coordToPixel(end->key)) - 1,
                int(plot.yAxis->coordToPixel(end->value))));
        QCOMPARE(wanted.count(), 2);
        QVERIFY(last().moment.live.has_value());
    }

    void stopsAtOnce() {
        FakeAnswer slow;
        slow.perToken = 50ms;
        m_model->setAnswer(slow);
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(m_model->requests().size() == 1U);
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
        QCOMPARE(m_model->requests().size(), 1U);
        QVERIFY(!verdicts().isVisible());
        QVERIFY(!find<QPushButton>("compareExport").isEnabled());
    }

    void survivesARunThatFails() {
        Ask limited = ask();
        limited.settings.memoryLimit = 1 << 20;
        m_page->setAsk(limited);
        runToTheEnd();
        QVERIFY(verdicts().text().contains(QStringLiteral("needs about 96 MiB")));
        QVERIFY(verdicts().text().contains(QStringLiteral("Nothing to compare")));
        QVERIFY(!find<QPushButton>("comparePeaks").isEnabled()); // there is no curve
    }

    void offersWaysOnFromMemoryThatDoesNotDo() {
        ModelDescription model = FakeLab::model();
        model.attention = {{AttentionPath::Mha, true, false, true, {}},
            {AttentionPath::Sdpa, true, false, false, {}}};
        m_page->setModel(model);
        Ask limited = ask();
        limited.settings.memoryLimit = 90 << 20; // 2,359 patches of 40,000 bytes
        limited.settings.pixels = 2'000'000;
        m_page->setAsk(limited);
        runToTheEnd();
        auto& message = find<MessageBar>("compareMessages");
        QVERIFY(message.isVisible());
        QVERIFY(message.text().startsWith(QStringLiteral("mha: This request needs about 96 MiB.")));
        QStringList ways;
        QPushButton* first = nullptr;
        for (QPushButton* button : message.findChildren<QPushButton*>()) {
            ways += button->text();
            first = first ? first : button;
        }
        QCOMPARE(ways.size(), 2);
        QVERIFY(ways.at(0).startsWith(QStringLiteral("Run with sdpa at 0.")));
        first->click();
        QTRY_VERIFY(isIdle());
        const auto plan = form().plan(RunHeader()).configurations;
        QVERIFY(plan[0].settings.attention == AttentionPath::Sdpa);
        QVERIFY(plan[0].settings.pixels < 700'000);
        QCOMPARE(plan[0].settings.pixels, plan[1].settings.pixels);
    }

    void movesTheDividerByKeysAndWheel() {
        runToTheEnd();
        auto& view = find<ResultView>("resultView");
        m_page->findChild<QTabWidget*>(QStringLiteral("compareTabs"))->setCurrentIndex(1);
        QCOMPARE(view.divider(), 0.5);
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(view.divider() < 0.5);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.divider(), 0.0);
        const QPointF middle = view.rect().center();
        QWheelEvent wheel(middle, view.mapToGlobal(middle), {}, {0, -120}, Qt::NoButton,
            Qt::ShiftModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&view, &wheel);
        QVERIFY(view.divider() > 0);
    }

    void showsWhatDiffers() {
        Report first, second;
        first.masks = {std::make_shared<const Mask>(ellipse(64, 48, 20, 24, 10, 10))};
        second.masks = {std::make_shared<const Mask>(ellipse(64, 48, 44, 24, 10, 10))};
        ResultView view;
        view.resize(640, 480);
        view.setResults(m_picture, &first, &second, QStringLiteral("a"), QStringLiteral("b"));
        view.setMode(ResultMode::Difference);
        const QImage image = view.grab().toImage();
        const auto colourAt = [&](int x, int y) {
            return image.pixelColor(
                int(x * 10 * image.devicePixelRatio()), int(y * 10 * image.devicePixelRatio()));
        };
        QCOMPARE(colourAt(20, 24), colourOfMask(0));
        QCOMPARE(colourAt(44, 24), colourOfMask(1));
        QVERIFY(colourAt(32, 5) != colourOfMask(0));
    }

    void writesReports() {
        runToTheEnd();
        const QString file = m_folder.filePath(QStringLiteral("report.html"));
        find<ExportButton>("compareExport").writeTo(file);
        QTRY_VERIFY(QFile::exists(file));
        QTRY_VERIFY(
            find<MessageBar>("compareMessages").text().contains(QStringLiteral("report.html")));
        find<ExportButton>("compareExport")
            .writeTo(m_folder.filePath(QStringLiteral("refused.html")));
        QTRY_VERIFY(
            find<MessageBar>("compareMessages").text().contains(QStringLiteral("disk is full")));
    }

    void asksOfAPastedPictureToo() {
        m_picture = makePicture(gradient(64, 48), QStringLiteral("Pasted image"), {});
        m_page->setAsk(ask());
        runToTheEnd();
        QCOMPARE(m_model->requests().size(), 2U);
    }
};

} // namespace maskscope

QTEST_MAIN(maskscope::ComparePageTest)
#include "compare_page_test.moc"
