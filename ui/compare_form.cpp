// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare_form.h"

#include "ui/colours.h"
#include "ui/compare_row.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <map>

namespace maskscope {

namespace {

constexpr std::size_t kLeastRows = 2;

} // namespace

CompareForm::CompareForm(QWidget* parent)
    : QWidget(parent)
    , m_list(new QVBoxLayout)
    , m_add(new QPushButton(tr("&Add a configuration"), this))
    , m_repeats(new QSpinBox(this)) {
    setObjectName(QStringLiteral("compareForm"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(8);
    layout->addWidget(new QLabel(tr("Run the request of the Segment page as"), this));
    m_list->setSpacing(12);
    layout->addLayout(m_list);
    m_add->setObjectName(QStringLiteral("addConfiguration"));
    m_add->setToolTip(tr("Up to four can be compared at once"));
    layout->addWidget(m_add);
    m_repeats->setObjectName(QStringLiteral("compareRepeats"));
    m_repeats->setRange(1, 100);
    m_repeats->setToolTip(tr("Runs of each configuration, in turns; times are their medians"));
    auto* form = new QFormLayout;
    form->addRow(tr("Repe&ats"), m_repeats);
    layout->addLayout(form);
    layout->addStretch(1);
    connect(m_add, &QPushButton::clicked, this, [this] { addRow(AttentionPath::Flash); });
    connect(m_repeats, &QSpinBox::valueChanged, this, &CompareForm::changed);
    addRow(AttentionPath::Mha);
    addRow(AttentionPath::Sdpa);
}

void CompareForm::addRow(AttentionPath path) {
    auto* row = new CompareRow(path, this);
    row->setCapabilities(m_model.attention);
    row->setMostPixels(m_model.info.mostPixels);
    row->setDevices(m_devices);
    connect(row, &CompareRow::removeRequested, this, [this, row] { removeRow(row); });
    connect(row, &CompareRow::changed, this, &CompareForm::changed);
    m_list->addWidget(row);
    m_rows.push_back(row);
    renumber();
    Q_EMIT changed();
}

void CompareForm::removeRow(CompareRow* row) {
    std::erase(m_rows, row);
    row->hide();
    row->deleteLater(); // its button brought us here
    renumber();
    Q_EMIT changed();
}

void CompareForm::renumber() {
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setColour(colourOfMask(int(i)));
        m_rows[i]->setRemovable(m_rows.size() > kLeastRows);
    }
    m_add->setEnabled(m_rows.size() < kMostConfigurations);
}

void CompareForm::setModel(const ModelDescription& model) {
    m_model = model;
    for (CompareRow* row : m_rows) {
        row->setCapabilities(model.attention);
        row->setMostPixels(model.info.mostPixels);
    }
}

void CompareForm::setDevices(const std::vector<DeviceInfo>& devices) {
    m_devices = devices;
    for (CompareRow* row : m_rows)
        row->setDevices(devices);
}

void CompareForm::setPixels(std::int64_t pixels) {
    for (CompareRow* row : m_rows)
        row->setPixels(pixels);
}

ComparisonPlan CompareForm::plan(const RunHeader& question) const {
    ComparisonPlan plan{{}, m_repeats->value()};
    std::map<std::string, int> seen;
    for (const CompareRow* row : m_rows) {
        RunHeader header = row->header(question);
        if (const int same = ++seen[header.title]; same > 1)
            header.title += " (" + std::to_string(same) + ")";
        plan.configurations.push_back(std::move(header));
    }
    return plan;
}

} // namespace maskscope
