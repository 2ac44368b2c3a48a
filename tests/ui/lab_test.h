// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/fake_lab.h"
#include "tests/ui/ui_test.h"
#include "ui/figure_table.h"
#include "ui/lab_page.h"
#include "ui/message_bar.h"
#include "ui/sweep_plot.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <memory>

namespace maskscope {

/// Base of the tests of the Lab page: each has a page of its own over a laboratory that only
/// pretends.
class LabTest : public UiTest {
    Q_OBJECT
protected:
    QTemporaryDir m_folder;
    std::shared_ptr<FakeLab> m_lab;
    std::unique_ptr<LabPage> m_page;

    template <class T>
    T& find(const char* name) const {
        return childNamed<T>(*m_page, name);
    }
    FigureTable& points() const { return find<FigureTable>("pointTable"); }
    QPushButton& runButton() const { return find<QPushButton>("sweepButton"); }
    SweepPlot& plot() const { return find<SweepPlot>("sweepPlot"); }
    MessageBar& message() const { return find<MessageBar>("labMessages"); }
    bool isIdle() const { return m_page->state() == SweepJob::State::Idle; }

    void choosePaths(const QStringList& names) const {
        for (QCheckBox* box : m_page->findChildren<QCheckBox*>())
            if (box->objectName().startsWith(QStringLiteral("path_")))
                box->setChecked(names.contains(box->text()));
    }
    void setSizes(const QString& sizes) const { find<QLineEdit>("sizesEdit").setText(sizes); }
    void runToTheEnd() const {
        QTest::mouseClick(&runButton(), Qt::LeftButton);
        QTRY_VERIFY(isIdle());
    }
    QStringList row(const FigureTable& table, int index) const {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column)
            cells += table.item(index, column)->text();
        return cells;
    }

protected Q_SLOTS:
    void init() {
        UiTest::init();
        m_lab = std::make_shared<FakeLab>();
        m_page = std::make_unique<LabPage>(FakeLab::toolsFor(m_lab));
        m_page->setModel(FakeLab::model());
        m_page->resize(1100, 720);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(find<QLabel>("labHeadline").text().contains(QStringLiteral("up to")));
    }
    void cleanup() { m_page.reset(); }
};

} // namespace maskscope
